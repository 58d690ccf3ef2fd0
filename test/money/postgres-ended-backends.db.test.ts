/** Charges that share a transaction of PostgreSQL, of which an operator ends the connection. */
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isUnavailable } from '../../server/db/database-error.ts';
import type { Database } from '../../server/db/db.ts';
import { migrate } from '../../server/db/migrate.ts';
import { openDatabase } from '../../server/db/open.ts';
import { settleSurely, undoSurely } from '../../server/flows/money/end-hold.ts';
import { admit, settle } from '../../server/flows/money/hold-money.ts';
import { readHold } from '../../server/wallets/delivery-store.ts';
import { forEachEngine } from '../support/databases/databases.ts';
import { type PostgresServer, startPair } from '../support/databases/postgres-cluster.ts';
import { runSql } from '../support/databases/postgres-server.ts';
import { hurriedClock } from '../support/hurried-clock.ts';
import {
  addSpender,
  admissionOf,
  settlementOf,
  startProcess,
  violationsOf,
  walletOf,
} from '../support/money/spending.ts';
import { patience } from '../support/patience.ts';

const clock = hurriedClock(50);
const triesMax = 3;

forEachEngine((engine) => {
  const options = {
    skip: engine.name !== 'postgres',
    meta: { skippedBecause: 'concerns the connections of PostgreSQL' },
    timeout: 120_000,
  };

  describe('charges in one transaction whose connection is ended', options, () => {
    it.each([
      ['between two of them are not made', 'PgSleep', 'open', sleepsIn({ deferred: false })],
      ['as it is committed are not made', 'PgSleep', 'open', sleepsIn({ deferred: true })],
      // It waits for a standby then, and says of what it has committed that it was ended.
      ['before it says that it is committed are made', 'SyncRep', 'settled', waitsForStandby],
    ] as const)('%s, and once when they are tried again', async (_, event, state, halt) => {
      const { primary, standby } = await startPair();
      const { url } = primary;
      const [database, db] = [openAt(url), openAt(url)];
      await migrate(database);
      const money = ['1.00', '1.00', '1.00'];
      const spenders = await Promise.all(money.map((each) => addSpender(database, each)));
      const { id: processId } = await startProcess(database);
      const admissions = spenders.map((spender) => admissionOf(spender, { processId }));
      for (const admission of admissions) await admit(database, clock, admission);
      const settlements = admissions.map(({ traceId, userId }) => ({
        ...settlementOf(traceId),
        userId,
      }));

      const goOn = await halt({ url, standby });
      const told = Promise.allSettled(settlements.map((each) => settle(db, clock, each)));
      await expect.poll(() => endWaiting(database, event), patience).toBe(1);
      for (const each of await told) {
        expect(each.status === 'rejected' && isUnavailable(each.reason)).toBe(true);
      }
      await goOn();
      const holds = await Promise.all(admissions.map(({ traceId }) => readHold(database, traceId)));
      expect(holds.map((hold) => hold?.state)).toEqual(money.map(() => state));

      const again = settlements.map((each) => settleSurely(db, clock, each, triesMax));
      const balances = (await Promise.all(again)).map((charged) => charged?.balance);
      expect(balances).toEqual(money.map(() => 900_000));
      const wallets = () => Promise.all(spenders.map(({ userId }) => walletOf(database, userId)));
      expect(await wallets()).toEqual(money.map(() => '0.90 balance, 0.00 held, 0 slots'));
      expect(await violationsOf(database)).toEqual([]);
      const undone = admissions.map(({ traceId }) =>
        undoSurely(db, clock, { traceId, code: 'unavailable' }, triesMax),
      );
      await Promise.all(undone);
      expect(await wallets()).toEqual(money.map(() => '1.00 balance, 0.00 held, 0 slots'));
      expect(await violationsOf(database)).toEqual([]);
    });
  });
});

/** Has a server stop at a moment of a charge; answers with what lets it go on. */
type Halt = (servers: { url: string; standby: PostgresServer }) => Promise<() => Promise<void>>;

/** At one wallet of three, which is not the first. */
function sleepsIn({ deferred }: { deferred: boolean }): Halt {
  return async ({ url }) => {
    await runSql(
      url,
      `create function halt() returns trigger language plpgsql as $$ begin
        if (select count(*) from wallets where user_id < new.user_id) = 1 then
          perform pg_sleep(600);
        end if;
        return null;
      end $$`,
    );
    await runSql(
      url,
      `create constraint trigger halting after update on wallets
        deferrable initially ${deferred ? 'deferred' : 'immediate'}
        for each row execute function halt()`,
    );
    return () => runSql(url, 'drop function halt cascade');
  };
}

const waitsForStandby: Halt = async ({ standby }) => {
  await standby.stop('SIGQUIT');
  return () => standby.start();
};

function openAt(url: string): Database {
  const database = openDatabase({
    url,
    dataDir: '',
    connectionsMax: 2,
    connectTimeoutMs: 30_000,
    onBackgroundError: () => {},
  });
  onTestFinished(() => database.close());
  return database;
}

/** Answers with how many there were. */
async function endWaiting({ kysely }: Database, event: string): Promise<number> {
  const { rows } = await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where wait_event = ${event} and datname = current_database()`.execute(kysely);
  return rows.length;
}
