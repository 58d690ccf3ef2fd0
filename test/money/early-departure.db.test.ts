/** Callers that leave while the money for their request is being held. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../server/db/db.ts';
import { systemClock } from '../../server/lib/clock.ts';
import { lockWallet } from '../../server/wallets/wallet-store.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { countDepartures } from '../support/callers/departures.ts';
import { generation } from '../support/callers/ways-to-ask.ts';
import { forEachEngine } from '../support/databases/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { addSpender, refuseWrongBooks, walletOf } from '../support/money/spending.ts';
import { patience } from '../support/patience.ts';
import { askService } from '../support/processes/service-process.ts';

const [keepAliveMs, graceMs] = [17_000, 19_000];
const delayMs = 100_000;
const prompt = `a fox [[delay=${delayMs}ms]] [[actual=32x32]]`;
/** For a request to get to where it waits for the wallet: long, for one within this process. */
const arrivalMs = 200;

forEachEngine((engine) => {
  let database: Database;
  let app: TestApp;
  let clock: ManualClock;
  const departures = countDepartures();

  beforeAll(async () => {
    database = await engine.open();
    clock = new ManualClock(Date.UTC(2030, 0, 1));
    app = await startTestApp(engine.locationOf(database), {
      clock,
      config: { keepAliveIntervalMs: keepAliveMs, graceMs },
      onLogLine: departures.note,
    });
  });
  afterAll(async () => {
    await app.stop();
    await refuseWrongBooks(database);
  });

  /** Nobody else moves the user's money until it is called. */
  async function holdWallet(userId: string): Promise<() => Promise<void>> {
    const isLocked = Promise.withResolvers<void>();
    const letGo = Promise.withResolvers<void>();
    const done = database.transaction(async (trx) => {
      await lockWallet(trx, userId);
      isLocked.resolve();
      await letGo.promise;
    });
    await isLocked.promise;
    return () => {
      letGo.resolve();
      return done;
    };
  }

  /** Asks while nobody can hold money, and leaves before anybody can; answers with what becomes of the wallet. */
  async function askAndLeave(fields: object, keyed: Record<string, string>) {
    const caller = await addSpender(database, '1.00');
    // Whatever is loaded and read with the first request is there.
    await askService(app, caller, { prompt: 'a fox [[actual=32x32]]' });
    const letGo = await holdWallet(caller.userId);
    const client = new AbortController();
    const { headers, body } = generation.write({ prompt, ...fields });
    const answer = fetch(`${app.baseUrl}${generation.path}`, {
      method: 'POST',
      headers: { ...headers, authorization: `Bearer ${caller.apiKey}`, ...keyed },
      body,
      signal: client.signal,
    });
    answer.catch(() => 'left');
    await systemClock.sleep(arrivalMs);
    await departures.leave(client);
    await letGo();
    await clock.untilSleepingFor(delayMs);
    const wallet = () => walletOf(database, caller.userId);
    expect(await wallet()).toBe('0.96 balance, 0.04 held, 1 slots');
    return wallet;
  }

  it('leave nothing waiting behind them when the picture is made all the same', async () => {
    const wallet = await askAndLeave({ stream: true }, { 'idempotency-key': 'a fox' });
    clock.advance(delayMs);
    await expect.poll(wallet, patience).toBe('0.92 balance, 0.00 held, 0 slots');
    // The first comment of its stream would have been due long ago.
    expect(clock.sleepingFor(keepAliveMs)).toBe(0);
  });

  it.each([false, true])(
    'are waited for as those that leave later are, and pay nothing: stream %s',
    async (stream) => {
      const wallet = await askAndLeave({ stream }, {});
      await clock.untilSleepingFor(graceMs);
      clock.advance(graceMs);
      await expect.poll(wallet, patience).toBe('0.96 balance, 0.00 held, 0 slots');
    },
  );
});
