import { Stripe } from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { paymentLimits } from '../../../server/payments/payment.ts';
import { checkoutSchema } from '../../../shared/console/payments.ts';
import { type Answer, describeApi, outcomeOf, wrong } from '../../support/callers/api.ts';
import { addConsoleUser, type ConsoleUser } from '../../support/console/console-user.ts';
import { exactly } from '../../support/exactly.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { walletOf } from '../../support/money/spending.ts';
import {
  postSigned,
  StripeService,
  sendEvent,
  sessionObject,
  stripeSecrets,
} from '../../support/money/stripe-service.ts';

const stripe = await StripeService.start();
afterAll(() => stripe.stop());
const clock = new ManualClock(Date.parse('2026-11-20T12:00:00Z'));
const { stripeWebhookSecret: secret } = stripeSecrets;

describeApi(
  (api) => {
    let user: ConsoleUser;
    let payload: string;
    const post = (body: string, headers: Readonly<Record<string, string>>): Promise<Answer> =>
      postSigned(`${api.app.baseUrl}/webhooks/stripe`, body, headers);
    const sign = (body: string, options: { secret?: string; ageMs?: number } = {}) =>
      Stripe.webhooks.generateTestHeaderString({
        payload: body,
        secret: options.secret ?? secret,
        timestamp: Math.floor((clock.now() - (options.ageMs ?? 0)) / 1000),
      });

    beforeAll(async () => {
      user = await addConsoleUser(api.app, { money: '0' });
      const { body } = await user.browser.post('/wallet/payments', { amount: '25' });
      const session = stripe.sessionOf(exactly(checkoutSchema, body).id);
      payload = JSON.stringify({
        id: 'evt_1',
        object: 'event',
        created: Math.floor(clock.now() / 1000),
        type: 'checkout.session.completed',
        data: { object: sessionObject(session) },
      });
    });

    const { signatureAgeMsMax } = paymentLimits;
    test.each<[string, () => Readonly<Record<string, string>>]>([
      ['none', () => ({})],
      ['an empty one', () => ({ 'stripe-signature': '' })],
      ['no signature', () => ({ 'stripe-signature': 'yes' })],
      ['another secret', () => ({ 'stripe-signature': sign(payload, { secret: 'whsec_other' }) })],
      ['an empty secret', () => ({ 'stripe-signature': sign(payload, { secret: ' ' }) })],
      ['another body', () => ({ 'stripe-signature': sign(`${payload} `) })],
      [
        'a time that is over',
        () => ({ 'stripe-signature': sign(payload, { ageMs: signatureAgeMsMax + 1_000 }) }),
      ],
      ['our own scheme', () => ({ 'tintype-signature': sign(payload) })],
    ])('a signature with %s credits nothing', async (_what, headers) => {
      const answer = await post(payload, headers());
      expect(outcomeOf(answer)).toEqual(wrong(null));
      expect(answer.text).toContain('The signature is missing, wrong or too old.');
      expect(await walletOf(api.app.database, user.id)).toMatch(/^0\.00/);
    });

    test.each<[string, string | null, string]>([
      ['not JSON', null, 'The event is not valid JSON.'],
      ['null', null, 'The event is invalid: '],
      ['[]', null, 'The event is invalid: '],
      ['{}', 'type', 'The event is invalid: '],
      ['{"type":"charge.refunded","data":{"object":{}}}', 'created', 'The event is invalid: '],
      ['{"type":"charge.refunded","created":1}', 'data', 'The event is invalid: '],
      // As Stripe sends it to a destination of "thin" events.
      [
        '{"object":"v2.core.event","type":"charge.refunded","created":"2026-11-20T12:00:00Z"}',
        'created',
        'The event is invalid: ',
      ],
    ])('%s, which is signed and no event, is told what is wrong', async (body, param, message) => {
      const answer = await post(body, { 'stripe-signature': sign(body) });
      expect(outcomeOf(answer)).toEqual(wrong(param));
      expect(answer.text).toContain(message);
      const unsigned = await post(body, { 'stripe-signature': sign(`${body} `) });
      expect(unsigned.text).toContain('The signature is missing, wrong or too old.');
    });

    test.each<[string, object | string, string]>([
      ['checkout.session.completed', { mode: 7 }, 'data.object.mode'],
      ['checkout.session.expired', 'cs_1', 'data.object'],
      ['charge.refunded', { id: 'ch_1', amount_refunded: 1.5 }, 'data.object.amount_refunded'],
      ['charge.dispute.closed', { id: 'dp_1', amount: 1, currency: 'usd' }, 'data.object.status'],
    ])(
      'a signed %s whose object is %j is told which field is wrong',
      async (type, object, param) => {
        const body = JSON.stringify({ created: 1, type, data: { object } });
        const answer = await post(body, { 'stripe-signature': sign(body) });
        expect(outcomeOf(answer)).toEqual(wrong(param));
      },
    );

    describe('the size', () => {
      const { webhookBytesMax } = paymentLimits;
      // An event of a kind that is passed over, with blanks behind it.
      const sized = (bytes: number) =>
        JSON.stringify({ created: 1, type: 'x', data: { object: {} } }).padEnd(bytes);

      test('may be as large as the limit', async () => {
        const body = sized(webhookBytesMax);
        expect((await post(body, { 'stripe-signature': sign(body) })).status).toBe(200);
      });

      test('may not be larger, however well it is signed', async () => {
        const body = sized(webhookBytesMax + 1);
        const answer = await post(body, { 'stripe-signature': sign(body) });
        expect(outcomeOf(answer)).toEqual(wrong(null));
        expect(answer.text).toContain('too large');
      });
    });

    test('the same event is taken once its signature is right, as old as the limit says', async () => {
      const headers = { 'stripe-signature': sign(payload, { ageMs: signatureAgeMsMax }) };
      expect((await post(payload, headers)).status).toBe(200);
      expect(await walletOf(api.app.database, user.id)).toMatch(/^25\.00/);
    });
  },
  { clock, config: stripe.options },
);

describeApi((api) => {
  test('without Stripe there is nothing at this address, whoever signs', async () => {
    const { baseUrl } = api.app;
    const event = { type: 'checkout.session.completed', object: {}, atMs: Date.now() };
    for (const other of [secret, ' ', 'undefined', 'null']) {
      const answer = await sendEvent(baseUrl, { ...event, secret: other });
      expect(outcomeOf(answer)).toMatchObject({ status: 404, code: 'not_found' });
    }
  });

  test('without Stripe nobody can pay', async () => {
    const { browser } = await addConsoleUser(api.app);
    const answer = await browser.post('/wallet/payments', { amount: '25' });
    expect(outcomeOf(answer)).toMatchObject({ status: 404, code: 'not_found' });
    expect((await browser.get('/wallet')).body).toMatchObject({ top_up: null });
  });
});
