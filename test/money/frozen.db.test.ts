/** A process that stands still for longer than its lease, and then goes on as if nothing had been. */
import { describe, expect, it } from 'vitest';
import { errorOf } from '../support/callers/api.ts';
import { forEachEngine } from '../support/databases/databases.ts';
import { addSpender, violationsOf, walletOf } from '../support/money/spending.ts';
import { patience } from '../support/patience.ts';
import { askService, equip, startService } from '../support/processes/service-process.ts';
import { serveCountedModel } from '../support/upstreams/counted-model.ts';
import type { CountingService } from '../support/upstreams/counting-service.ts';

const lease = { TINTYPE_LEASE: '1s', TINTYPE_LEASE_RENEW: '100ms' };
/** Long enough to be frozen in, short enough to be done soon after. */
const unhurried = { prompt: 'a fox [[delay=1s]] [[actual=32x32]]' };
const untouched = '1.00 balance, 0.00 held, 0 slots';

forEachEngine((engine) => {
  it('does not charge what was swept meanwhile, and does not send its picture', async () => {
    const database = await engine.open();
    await equip(database);
    const spender = await addSpender(database, '1.00');
    const wallet = () => walletOf(database, spender.userId);
    const location = engine.locationOf(database);
    const [frozen, other] = await Promise.all([
      startService(location, lease),
      startService(location, lease),
    ]);
    const answer = askService(frozen, spender, unhurried);
    await expect.poll(wallet, patience).toContain('1 slots');
    frozen.kill('SIGSTOP');
    // The other one sees the lease run out.
    await expect.poll(wallet, patience).toBe(untouched);
    frozen.kill('SIGCONT');

    expect((await answer).status).toBe(502);
    expect(errorOf(await answer)).toMatchObject({ code: 'upstream_error' });
    expect(await wallet()).toBe(untouched);
    expect(await violationsOf(database)).toEqual([]);
    // It takes its lease again and works on, as does the other.
    for (const service of [frozen, other]) {
      expect(await askService(service, spender)).toMatchObject({ status: 200 });
    }
    expect(await wallet()).toBe('0.92 balance, 0.00 held, 0 slots');
    expect(await violationsOf(database)).toEqual([]);
  });

  describe('a client that left meanwhile', () => {
    it.each([
      ['its picture', {}, async (upstream: CountingService) => upstream.letGo(1)],
      [
        'a partial image',
        { stream: true, partial_images: 1 },
        (upstream: CountingService) => upstream.showPartials(),
      ],
    ])('is not charged for %s that came before', async (_what, fields, come) => {
      const database = await engine.open();
      await equip(database);
      const service = await startService(engine.locationOf(database), { TINTYPE_GRACE: '1s' });
      const spender = await addSpender(database, '1.00');
      const { model, upstream } = await serveCountedModel(database, null);
      const client = new AbortController();
      const asked = { model, ...fields };
      const answer = askService(service, spender, asked, { signal: client.signal });
      await expect.poll(() => upstream.running, patience).toBe(1);
      service.kill('SIGSTOP');
      await come(upstream);
      client.abort();
      await expect(answer).rejects.toThrow('aborted');
      service.kill('SIGCONT');
      await expect.poll(() => walletOf(database, spender.userId), patience).toBe(untouched);
      expect(await violationsOf(database)).toEqual([]);
    });
  });
});
