/** Charges that share transactions of PostgreSQL, while connections are ended and wallets locked at any moment. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { isUnavailable } from '../../server/db/database-error.ts';
import type { Database } from '../../server/db/db.ts';
import { settleSurely, undoSurely } from '../../server/flows/money/end-hold.ts';
import { admit } from '../../server/flows/money/hold-money.ts';
import { must } from '../../server/lib/assert.ts';
import { type Clock, systemClock } from '../../server/lib/clock.ts';
import { makeId } from '../../server/lib/ids.ts';
import { readWallet } from '../../server/wallets/wallet-store.ts';
import { formatAmount } from '../../shared/money.ts';
import { forEachEngine } from '../support/databases/databases.ts';
import {
  addSpender,
  admissionOf,
  type Spender,
  settlementOf,
  startProcess,
  violationsOf,
} from '../support/money/spending.ts';

/** Its pauses are short. */
const clock: Clock = { ...systemClock, sleep: (ms, signal) => systemClock.sleep(ms / 20, signal) };
const triesMax = 100;
const money = '20.00';
const turns = 20;

forEachEngine((engine) => {
  const options = {
    skip: engine.name !== 'postgres',
    meta: { skippedBecause: 'concerns the connections of PostgreSQL' },
    timeout: 120_000,
  };

  it('are each made once, and what was not charged is not held', options, async () => {
    const database = await engine.open();
    const processes = [engine.openAgain(database), engine.openAgain(database)];
    const spenders = await Promise.all(
      Array.from({ length: 4 }, () => addSpender(database, money)),
    );
    const { id: processId } = await startProcess(database);
    const charges = new Map(spenders.map(({ userId }) => [userId, 0]));
    const counts = { charged: 0, undone: 0 };

    const spend = async (db: Database, spender: Spender, idempotencyKey: string) => {
      const idempotency = { key: idempotencyKey, fingerprint: 'same' };
      const admission = admissionOf(spender, { processId, idempotency });
      const { traceId } = admission;
      try {
        const { kind } = await admit(db, clock, admission);
        if (kind !== 'admitted') return;
        const settlement = { ...settlementOf(traceId), userId: spender.userId };
        if (!(await settleSurely(db, clock, settlement, triesMax))) return;
        counts.charged++;
        charges.set(spender.userId, (charges.get(spender.userId) ?? 0) + 1);
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        counts.undone++;
        await undoSurely(db, clock, { traceId, code: 'unavailable' }, triesMax);
      }
    };

    const trouble = new AbortController();
    const troubles = [
      endConnections(database, trouble.signal),
      lockWallets(database, trouble.signal),
    ];
    onTestFinished(() => trouble.abort());
    for (let turn = 0; turn < turns; turn++) {
      await Promise.all(
        spenders.flatMap((spender) =>
          processes.flatMap((db) =>
            Array.from({ length: 4 }, (_, index) => {
              // The first one's key is also the other process's.
              const key = index === 0 ? `turn ${turn}` : makeId('tr', systemClock.now());
              return spend(db, spender, key);
            }),
          ),
        ),
      );
    }
    trouble.abort();
    await Promise.all(troubles);

    expect(await violationsOf(database)).toEqual([]);
    const left = new Map<string, string>();
    for (const { userId } of spenders) {
      const wallet = await readWallet(database, userId);
      expect(wallet).toMatchObject({ held: 0, inFlight: 0 });
      left.set(userId, formatAmount(must(wallet, 'a wallet').balance));
    }
    expect(left).toEqual(
      new Map([...charges].map(([userId, count]) => [userId, (20 - count / 10).toFixed(2)])),
    );
    expect(Math.min(counts.charged, counts.undone)).toBeGreaterThan(0);
  });
});

/** One after the other, whatever it does. */
async function endConnections(database: Database, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and state = 'active'
      order by random() limit 1`.execute(database.kysely);
    await sleep(250);
  }
}

/** One after the other, for as long as makes a group give up, or not. */
async function lockWallets({ kysely }: Database, signal: AbortSignal): Promise<void> {
  for (let holdMs = 50; !signal.aborted; holdMs = (holdMs * 3) % 800) {
    await kysely
      .transaction()
      .execute(async (trx) => {
        await sql`select 1 from wallets order by random() limit 1 for update`.execute(trx);
        await sleep(holdMs);
      })
      // Ended as the others.
      .catch(() => undefined);
  }
}
