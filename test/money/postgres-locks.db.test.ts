/** What a service does whose PostgreSQL lets nobody wait long for a lock, while somebody holds one. */
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { picturesOf } from '../support/callers/answers.ts';
import { expectTryAgain } from '../support/callers/try-again.ts';
import { forEachEngine } from '../support/databases/databases.ts';
import { lockTwoSettles, lockWallets } from '../support/databases/locked-wallets.ts';
import { violationsOf } from '../support/money/spending.ts';
import { patience } from '../support/patience.ts';
import { type FaultyService, startFaultyService } from '../support/processes/faulty-service.ts';

const full = '100.00 balance, 0.00 held, 0 slots';
const charged = '99.96 balance, 0.00 held, 0 slots';

const onlyPostgres = { meta: { skippedBecause: 'concerns the locks of PostgreSQL' } };

forEachEngine((engine) => {
  describe('a wallet that is locked', { ...onlyPostgres, skip: engine.name !== 'postgres' }, () => {
    it('while a request is admitted makes it worth another try', async () => {
      const { ask, database, wallet } = await startImpatientService();
      const unlock = await lockWallets(database);
      expectTryAgain(await ask());
      await unlock();
      expect(await wallet()).toBe(full);
      expect(picturesOf(await ask())).toHaveLength(1);
      expect(await wallet()).toBe(charged);
    });

    it('while a picture is charged pays for it when it is free again', async () => {
      const { ask, database, proxy, wallet } = await startImpatientService();
      const settles = lockTwoSettles({ proxy, database });
      expect(picturesOf(await ask())).toHaveLength(1);
      expect(settles()).toBe(3);
      expect(await wallet()).toBe(charged);
      expect(await violationsOf(database)).toEqual([]);
    });
  });

  async function startImpatientService(): Promise<FaultyService> {
    const service = await startFaultyService(engine, { config: { databaseConnectionsMax: 1 } });
    const { app, database, proxy } = service;
    const { name } = await database.kysely
      .selectNoFrom(sql<string>`current_database()`.as('name'))
      .executeTakeFirstOrThrow();
    await sql`alter database ${sql.ref(name)} set lock_timeout = '50ms'`.execute(database.kysely);
    // It concerns the connections made from now on.
    proxy.cutAll();
    const isReady = async () => (await fetch(`${app.baseUrl}/readyz`)).ok;
    await expect.poll(isReady, patience).toBe(true);
    return service;
  }
});
