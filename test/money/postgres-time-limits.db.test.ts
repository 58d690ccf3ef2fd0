/** What a service does whose PostgreSQL ends what takes too long: a connection, or only a statement. */
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Database } from '../../server/db/db.ts';
import { picturesOf } from '../support/callers/answers.ts';
import { expectTryAgain } from '../support/callers/try-again.ts';
import { forEachEngine } from '../support/databases/databases.ts';
import { lockTwoSettles, lockWallets } from '../support/databases/locked-wallets.ts';
import { violationsOf } from '../support/money/spending.ts';
import { patience } from '../support/patience.ts';
import { type FaultyService, startFaultyService } from '../support/processes/faulty-service.ts';

const full = '100.00 balance, 0.00 held, 0 slots';
const charged = '99.96 balance, 0.00 held, 0 slots';

const onlyPostgres = { meta: { skippedBecause: 'concerns the time limits of PostgreSQL' } };

forEachEngine((engine) => {
  describe('a transaction that takes too long', {
    ...onlyPostgres,
    skip: engine.name !== 'postgres',
  }, () => {
    it('while a request is admitted makes it worth another try', async ({ skip }) => {
      const { ask, database, wallet } = await startLimited(skip);
      const unlock = await lockWallets(database, { isLimited: false });
      expectTryAgain(await ask());
      await unlock();
      expect(await wallet()).toBe(full);
      expect(picturesOf(await ask())).toHaveLength(1);
      expect(await wallet()).toBe(charged);
    });

    it('while a picture is charged pays for it when it is quick again', async ({ skip }) => {
      const { ask, database, proxy, unlimit, wallet } = await startLimited(skip);
      const settles = lockTwoSettles({ proxy, database }, { isLimited: false });
      expect(picturesOf(await ask())).toHaveLength(1);
      expect(settles()).toBe(3);
      expect(await wallet()).toBe(charged);
      // All of the books in one transaction may take a busy machine longer.
      await unlimit();
      expect(await violationsOf(database)).toEqual([]);
    });
  });

  describe('a statement that takes too long', {
    ...onlyPostgres,
    skip: engine.name !== 'postgres',
  }, () => {
    it('while a request is admitted makes it worth another try', async () => {
      const { ask, database, wallet } = await startFaultyService(engine);
      const end = await giveUpAdmits(database);
      expectTryAgain(await ask());
      await end();
      expect(await wallet()).toBe(full);
      expect(picturesOf(await ask())).toHaveLength(1);
      expect(await wallet()).toBe(charged);
    });
  });

  async function startLimited(skip: (note: string) => void): Promise<LimitedService> {
    const service = await startFaultyService(engine, { config: { databaseConnectionsMax: 1 } });
    const { app, database, proxy } = service;
    const { kysely } = database;
    const { name, version } = await kysely
      .selectNoFrom([
        sql<string>`current_database()`.as('name'),
        sql<number>`current_setting('server_version_num')::int`.as('version'),
      ])
      .executeTakeFirstOrThrow();
    if (version < 170_000) skip('older than this limit');
    await sql`alter database ${sql.ref(name)} set transaction_timeout = '1s'`.execute(kysely);
    // It concerns the connections made from now on.
    proxy.cutAll();
    const isReady = async () => (await fetch(`${app.baseUrl}/readyz`)).ok;
    await expect.poll(isReady, patience).toBe(true);
    const unlimit = () =>
      sql`alter database ${sql.ref(name)} reset transaction_timeout`.execute(kysely);
    return { ...service, unlimit };
  }
});

interface LimitedService extends FaultyService {
  /** For connections that are made from now on. */
  unlimit: () => Promise<unknown>;
}

/** As a `statement_timeout` does; answers with what ends it. */
async function giveUpAdmits({ kysely }: Database): Promise<() => Promise<unknown>> {
  await sql`create function give_up() returns trigger language plpgsql as ${sql.lit(`begin
      raise exception 'canceling statement due to statement timeout' using errcode = '57014';
    end`)}`.execute(kysely);
  await sql`create trigger give_up before update on wallets
    for each row execute function give_up()`.execute(kysely);
  return () => sql`drop trigger give_up on wallets`.execute(kysely);
}
