import { generateSync } from 'otplib/functional';
import { expect, test } from 'vitest';
import { acceptCode, authenticatorUri, makeAuthenticatorSecret } from './authenticator.ts';

const nowMs = Date.UTC(2027, 0, 1, 12, 0, 10);
const nowStep = nowMs / 30_000 - 1 / 3;
const secret = makeAuthenticatorSecret();
const codeOf = (step: number) => generateSync({ secret, epoch: step * 30 });
const accept = (code: string, lastStep: number | null) =>
  acceptCode({ secret, code, lastStep, nowMs });

test.each([
  ['of two steps ago', -2, null],
  ['of the step before', -1, -1],
  ['of now', 0, 0],
  ['of the step after', 1, 1],
  ['of the one after that', 2, null],
])('a code %s', (_what, steps, accepted) => {
  const step = accepted === null ? null : nowStep + accepted;
  expect(accept(codeOf(nowStep + steps), null)).toBe(step);
});

test.each([-1, 0, 1, 2, 3, 3_000])(
  'none is accepted at or before the last one, which was %d steps from now',
  (steps) => {
    const lastStep = nowStep + steps;
    for (const offset of [-1, 0, 1]) {
      const step = nowStep + offset;
      expect(accept(codeOf(step), lastStep)).toBe(step > lastStep ? step : null);
    }
  },
);

test.each(['', '12345', '1234567', '12345a', '１２３４５６'])('%j is no code', (code) => {
  expect(accept(code, null)).toBeNull();
});

test('an app shows the whole name of the service, in which a colon would end it', () => {
  const uri = new URL(
    authenticatorUri({ installation: 'Studio: pictures', email: 'a@example.com', secret }),
  );
  expect(decodeURIComponent(uri.pathname)).toContain('Studio  pictures:a@example.com');
  expect(uri.searchParams.get('issuer')).toBe('Studio  pictures');
});
