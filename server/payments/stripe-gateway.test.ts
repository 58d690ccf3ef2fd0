import { expect, it, onTestFinished, vi } from 'vitest';
import { parseAmount } from '../../shared/money.ts';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { StripeService } from '../../test/support/stripe-service.ts';
import { must } from '../lib/assert.ts';
import { StripeGateway } from './stripe-gateway.ts';

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
  const opening = gateway.openCheckout({
    id: 'pay_1',
    amount: must(parseAmount('5'), 'an amount'),
    currency: 'EUR',
    title: 'Pictures',
    successUrl: 'https://images.example.com/paid',
    cancelUrl: 'https://images.example.com/',
    expiresAt: 1_800_000_000_000,
  });
  opening.catch(() => {});
  await heard.promise;
  await gateway.close();
  await expect(opening).rejects.toMatchObject({ code: 'unavailable' });
});
