import { describe, expect, it, test } from 'vitest';
import { ConfigError, loadConfig } from '../config.ts';

const key = 'sk_test_0123456789';
const secret = 'whsec_0123456789abcdef';

function problemsOf(variables: Readonly<Record<string, string>>): readonly string[] {
  try {
    loadConfig({}, variables);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

describe('Stripe', () => {
  test.each([
    ['missing', {}],
    ['empty', { TINTYPE_STRIPE_WEBHOOK_SECRET: '' }],
    ['blank', { TINTYPE_STRIPE_WEBHOOK_SECRET: '  ' }],
  ])('does not start with a webhook secret that is %s', (_how, variables) => {
    expect(problemsOf({ TINTYPE_STRIPE_SECRET_KEY: key, ...variables })).toEqual([
      'TINTYPE_STRIPE_WEBHOOK_SECRET must be set and not empty, because TINTYPE_STRIPE_SECRET_KEY is',
    ]);
  });

  it('does not start with a webhook secret alone', () => {
    expect(problemsOf({ TINTYPE_STRIPE_WEBHOOK_SECRET: secret })).toEqual([
      'TINTYPE_STRIPE_SECRET_KEY must be set and not empty, because TINTYPE_STRIPE_WEBHOOK_SECRET is',
    ]);
  });

  it('does not start with a short or broken webhook secret, and does not repeat it', () => {
    for (const bad of ['whsec_0123', 'whsec_0123456789 abcdef']) {
      const [problem = ''] = problemsOf({
        TINTYPE_STRIPE_SECRET_KEY: key,
        TINTYPE_STRIPE_WEBHOOK_SECRET: bad,
      });
      expect(problem).toContain('TINTYPE_STRIPE_WEBHOOK_SECRET must be 16 characters or more');
      expect(problem).not.toContain(bad);
    }
  });

  test.each([
    ['swapped', secret, key],
    ['the key that pages show', key, 'pk_live_0123456789'],
    ['a restricted key', key, 'rk_live_0123456789'],
  ])('does not start with another secret than the one meant: %s', (_which, first, second) => {
    const problems = problemsOf({
      TINTYPE_STRIPE_SECRET_KEY: first,
      TINTYPE_STRIPE_WEBHOOK_SECRET: second,
    });
    expect(problems).toContainEqual(
      expect.stringContaining('TINTYPE_STRIPE_WEBHOOK_SECRET must be 16 characters or more'),
    );
    expect(problems.join()).not.toContain(second);
  });

  test.each([secret, 'pk_test_0123456789'])('does not start with %s for its key', (other) => {
    const problems = problemsOf({
      TINTYPE_STRIPE_SECRET_KEY: other,
      TINTYPE_STRIPE_WEBHOOK_SECRET: secret,
    });
    expect(problems).toEqual([
      expect.stringContaining('TINTYPE_STRIPE_SECRET_KEY must be a secret or restricted key'),
    ]);
  });

  it('starts with both, and without either', () => {
    const both = { TINTYPE_STRIPE_SECRET_KEY: key, TINTYPE_STRIPE_WEBHOOK_SECRET: secret };
    expect(problemsOf(both)).toEqual([]);
    expect(problemsOf({})).toEqual([]);
  });

  test.each([
    ['https://api.stripe.example', 0],
    ['http://127.0.0.1:12111', 0],
    ['http://localhost:12111', 0],
    ['http://api.stripe.com', 1],
    ['https://api.stripe.com/v1', 1],
    ['ftp://api.stripe.com', 1],
  ])('is asked at %s: %d problems', (url, problems) => {
    expect(problemsOf({ TINTYPE_STRIPE_API_URL: url })).toHaveLength(problems);
  });
});

describe('reports of other providers', () => {
  it('are taken with a secret of 16 characters', () => {
    const of = (value: string) => ({ TINTYPE_PAYMENT_WEBHOOK_SECRET: value });
    expect(problemsOf(of('x'.repeat(16)))).toEqual([]);
    expect(problemsOf(of('x'.repeat(15)))).toHaveLength(1);
    expect(loadConfig({}, of('')).config.paymentWebhookSecret).toBeNull();
  });
});
