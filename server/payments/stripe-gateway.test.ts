import { expect, it } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.ts';
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
