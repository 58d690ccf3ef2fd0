import { expect, test } from 'vitest';
import { paymentLimits } from '../../../server/payments/payment.ts';
import { describeApi, outcomeOf, wrong } from '../../support/callers/api.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { reportSecret, signatureOf } from '../../support/money/payment-report.ts';
import { walletOf } from '../../support/money/spending.ts';
import { postSigned } from '../../support/money/stripe-service.ts';

const clock = new ManualClock(Date.parse('2026-11-20T12:00:00Z'));

describeApi(
  (api) => {
    const post = (body: string, headers: Readonly<Record<string, string>>) =>
      postSigned(`${api.app.baseUrl}/webhooks/payments`, body, headers);
    const bodyOf = () =>
      JSON.stringify({
        type: 'payment.paid',
        provider: 'paypal',
        payment_id: 'PAY-1',
        user: api.user.id,
        amount: '12.50',
        currency: 'USD',
      });
    const { signatureAgeMsMax } = paymentLimits;
    const at = (offsetMs: number) => signatureOf(bodyOf(), { nowMs: clock.now() + offsetMs });

    test.each<[string, () => Readonly<Record<string, string>>]>([
      ['none', () => ({})],
      ['an empty one', () => ({ 'tintype-signature': '' })],
      [
        'another secret',
        () => ({
          'tintype-signature': signatureOf(bodyOf(), { nowMs: clock.now(), secret: 'another' }),
        }),
      ],
      [
        'another body',
        () => ({ 'tintype-signature': signatureOf(`${bodyOf()} `, { nowMs: clock.now() }) }),
      ],
      ['another time', () => ({ 'tintype-signature': at(0).replace(/t=\d+/, 't=1795176001') })],
      ['a time that is over', () => ({ 'tintype-signature': at(-signatureAgeMsMax - 1_000) })],
      ['a time to come', () => ({ 'tintype-signature': at(signatureAgeMsMax + 1_000) })],
      ['a part of it', () => ({ 'tintype-signature': at(0).slice(0, -2) })],
    ])('a signature with %s credits nothing', async (_what, headers) => {
      const answer = await post(bodyOf(), headers());
      expect(outcomeOf(answer)).toEqual(wrong(null));
      expect(answer.text).toContain('The signature is missing, wrong or too old.');
      expect(await walletOf(api.app.database, api.user.id)).toMatch(/^1000\.00/);
    });

    test.each(['', 'not JSON', '[]', '"text"'])(
      'what is signed and reads %j is told so',
      async (body) => {
        const headers = { 'tintype-signature': signatureOf(body, { nowMs: clock.now() }) };
        expect((await post(body, headers)).status).toBe(400);
      },
    );

    test('a user with a NUL character, which PostgreSQL can look for nowhere, is told so', async () => {
      const body = JSON.stringify({ ...JSON.parse(bodyOf()), user: 'a\0b' });
      const headers = { 'tintype-signature': signatureOf(body, { nowMs: clock.now() }) };
      expect(outcomeOf(await post(body, headers))).toEqual(wrong('user'));
    });

    test('a larger body than the limit is refused', async () => {
      const body = bodyOf().padEnd(paymentLimits.webhookBytesMax + 1);
      const headers = { 'tintype-signature': signatureOf(body, { nowMs: clock.now() }) };
      expect(outcomeOf(await post(body, headers))).toEqual(wrong(null));
    });

    test('a body of the limit, as old as the limit says, is taken', async () => {
      const body = bodyOf().padEnd(paymentLimits.webhookBytesMax);
      const nowMs = clock.now() - signatureAgeMsMax;
      const answer = await post(body, { 'tintype-signature': signatureOf(body, { nowMs }) });
      expect(answer.body).toEqual({ outcome: 'done' });
      expect(await walletOf(api.app.database, api.user.id)).toMatch(/^1012\.50/);
    });
  },
  { clock, config: { paymentWebhookSecret: reportSecret } },
);

describeApi(
  (api) => {
    test('without a secret there is nothing at this address', async () => {
      for (const secret of [reportSecret, '', 'null', 'undefined']) {
        const headers = {
          'tintype-signature': signatureOf('{}', { nowMs: clock.now(), secret }),
        };
        const answer = await postSigned(`${api.app.baseUrl}/webhooks/payments`, '{}', headers);
        expect(outcomeOf(answer)).toMatchObject({ status: 404, code: 'not_found' });
      }
    });
  },
  { clock },
);
