/** Requests for which the money is still being held when the service can wait for them no longer. */
import { expect, it } from 'vitest';
import { systemClock } from '../../server/lib/clock.ts';
import { lockWallet } from '../../server/wallets/wallet-store.ts';
import { startTestApp } from '../support/app.ts';
import { forEachEngine } from '../support/databases/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { addSpender, violationsOf, walletOf } from '../support/money/spending.ts';
import { askService } from '../support/processes/service-process.ts';

const limitMs = 17_000;
/** For a request to get to where it waits for the wallet: long, for one within this process. */
const arrivalMs = 200;

forEachEngine((engine) => {
  it('are not begun any more, and hold nothing', async () => {
    const database = await engine.open();
    const clock = new ManualClock(Date.UTC(2030, 0, 1));
    const app = await startTestApp(engine.locationOf(database), {
      clock,
      config: { shutdownLimitMs: limitMs },
    });
    const caller = await addSpender(database, '1.00');
    // Whatever is loaded and read with the first request is there.
    await askService(app, caller, { prompt: 'a fox [[actual=32x32]]' });
    let stopping: Promise<void> = Promise.resolve();
    await database.transaction(async (trx) => {
      await lockWallet(trx, caller.userId);
      const asking = askService(app, caller, { prompt: 'a fox [[delay=1000ms]]' });
      const ended = asking.catch(() => 'cut off');
      await systemClock.sleep(arrivalMs);
      stopping = app.stop();
      await clock.untilSleepingFor(limitMs);
      clock.advance(limitMs);
      expect(await ended).toBe('cut off');
    });
    await stopping;
    const late = database.kysely
      .selectFrom('usage_records')
      .select(['status', 'code', 'attempts'])
      .where('status', '<>', 'succeeded');
    expect(await late.executeTakeFirst()).toEqual({
      status: 'failed',
      code: 'unavailable',
      attempts: '[]',
    });
    expect(await walletOf(database, caller.userId)).toBe('0.96 balance, 0.00 held, 0 slots');
    expect(await violationsOf(database)).toEqual([]);
  });
});
