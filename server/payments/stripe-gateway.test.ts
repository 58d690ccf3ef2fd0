import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { parseAmount } from '../../shared/money.ts';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { StripeService, stripeSecrets } from '../../test/support/money/stripe-service.ts';
import { must } from '../lib/assert.ts';
import { StripeGateway } from './stripe-gateway.ts';

const wanted = {
  id: 'pay_1',
  amount: must(parseAmount('5'), 'an amount'),
  currency: 'EUR',
  title: 'Pictures',
  successUrl: 'https://images.example.com/paid',
  cancelUrl: 'https://images.example.com/',
  expiresAt: 1_800_000_000_000,
};

it('begins anew when it could not begin the first time', async () => {
  const options = { secretKey: 'sk_test_x', webhookSecret: 'whsec_x', apiUrl: 'no address' };
  const gateway = new StripeGateway(options, new ManualClock());
  const read = () => gateway.readEvent(Buffer.from('{}'), 'no signature');
  await expect(read()).rejects.toThrow(/Invalid URL/);
  options.apiUrl = 'http://127.0.0.1:1';
  expect(await read()).toBeNull();
  await gateway.close();
});

it('closes without the answer of a Stripe that keeps silent', async () => {
  // So that no time of its own is what ends the wait.
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const service = await StripeService.start();
  onTestFinished(() => service.stop());
  const { stripeSecretKey: secretKey, stripeWebhookSecret: webhookSecret } = service.options;
  const gateway = new StripeGateway(
    { secretKey, webhookSecret, apiUrl: service.url },
    new ManualClock(),
  );
  const heard = Promise.withResolvers<void>();
  service.beforeAnswer(() => {
    heard.resolve();
    return new Promise(() => {});
  });
  const opening = gateway.openCheckout(wanted);
  opening.catch(() => {});
  await heard.promise;
  await gateway.close();
  await expect(opening).rejects.toMatchObject({ code: 'unavailable' });
});

describe('says for the log why nothing came of it', () => {
  function gatewayAt(apiUrl: string): StripeGateway {
    const { stripeSecretKey: secretKey, stripeWebhookSecret: webhookSecret } = stripeSecrets;
    const gateway = new StripeGateway({ secretKey, webhookSecret, apiUrl }, new ManualClock());
    onTestFinished(() => gateway.close());
    return gateway;
  }

  it.each([
    ['a wrong key', 401, {}, ''],
    ['a key without the permission', 403, {}, ''],
    ['a key that has expired', 401, { code: 'api_key_expired' }, ', api_key_expired'],
  ])('%s, by the status alone', async (_what, status, more, told) => {
    const service = await StripeService.start();
    onTestFinished(() => service.stop());
    const message = `Invalid API Key provided: ${stripeSecrets.stripeSecretKey}`;
    service.refuseAll(status, { type: 'invalid_request_error', message, ...more });
    const gateway = gatewayAt(service.url);
    const why = {
      name: 'OperatorError',
      message: `Stripe answered with status ${status} (invalid_request_error${told})`,
    };
    await expect(gateway.openCheckout(wanted)).rejects.toMatchObject({
      message: expect.stringContaining('Tell whoever runs this installation'),
      retryable: false,
      cause: why,
    });
    expect(await gateway.findOwner('pi_1')).toMatchObject({ kind: 'unknown', cause: why });
  });

  it.each([429, 503])('%i, after which the user may try again', async (status) => {
    const service = await StripeService.start();
    onTestFinished(() => service.stop());
    service.refuseAll(status, { type: 'api_error', message: 'Later.' });
    await expect(gatewayAt(service.url).openCheckout(wanted)).rejects.toMatchObject({
      message: expect.stringContaining('Try again'),
      retryAfterSeconds: 10,
      cause: { message: `Stripe answered with status ${status} (api_error)` },
    });
  });

  it('that there is no connection', async () => {
    const why = {
      message: 'Stripe did not answer',
      cause: { name: 'OutgoingError', message: expect.stringContaining('ECONNREFUSED') },
    };
    const gateway = gatewayAt('http://127.0.0.1:1');
    await expect(gateway.openCheckout(wanted)).rejects.toMatchObject({ cause: why });
    expect(await gateway.findRefunded('pi_1')).toMatchObject({ kind: 'unknown', cause: why });
  });
});
