import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import { databaseUrl, runSql } from '../../../test/support/databases/postgres-server.ts';
import { startTlsFront } from '../../../test/support/databases/tls-front.ts';
import { makeScratchFolder } from '../../../test/support/scratch.ts';
import { localhostCertificate } from '../../../test/support/services/localhost-certificate.ts';
import { thrownBy } from '../../../test/support/thrown-by.ts';
import { must } from '../../lib/assert.ts';
import { defineChain } from '../chain.ts';
import { isReadOnly, isTooSlow, isUnavailable } from '../database-error.ts';
import type { Database } from '../db.ts';
import { openDatabase } from '../open.ts';

const noWrite = defineChain('no_write', 'process', {
  process: ({ kysely }) => kysely.deleteFrom('processes').where('id', '=', '').returning('id'),
});

forEachEngine((engine) => {
  const options = {
    skip: engine.name !== 'postgres',
    meta: { skippedBecause: 'SQLite has no connections to open' },
  };

  describe('a connection', options, () => {
    let db: Database;
    let url: string;

    beforeEach(async () => {
      const location = engine.locationOf(await engine.open());
      url = must(location.url, 'an address');
      db = openDatabase({
        ...location,
        connectionsMax: 1,
        connectTimeoutMs: 30_000,
        onBackgroundError: () => {},
      });
      onTestFinished(() => db.close());
    });

    /** As an administrator does: of connections, it changes only those that are opened from then on. */
    async function change(what: string): Promise<void> {
      const name = new URL(url).pathname.slice(1);
      await runSql(databaseUrl(url, 'postgres'), `alter database ${name} ${what}`);
    }

    it.each<[string, (db: Database) => Promise<unknown>]>([
      ['chain', (db) => db.runChain(noWrite, {})],
      ['statement', (db) => sql`select 1`.execute(db.kysely)],
      ['transaction', (db) => db.transaction(async () => {})],
      ['snapshot', (db) => db.snapshot(async () => {})],
    ])(
      'that is refused makes the database unavailable to a %s, whatever the reason',
      async (_what, use) => {
        await change('allow_connections false');
        const error = await thrownBy(use(db));
        expect(error).toHaveProperty('code', '55000');
        expect(isUnavailable(error)).toBe(true);
        await change('allow_connections true');
        await use(db);
      },
    );

    it.each<[string, (file: string) => void]>([
      ['is gone', (file) => rmSync(file)],
      ['is a folder', (file) => [rmSync(file), mkdirSync(file)]],
      ['is none of a certificate', (file) => writeFileSync(file, 'nothing of it')],
    ])('whose file %s makes the database unavailable until it is there', async (_what, spoil) => {
      const front = await startTlsFront(url);
      onTestFinished(front.stop);
      const folder = makeScratchFolder('certificate');
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const files = { sslcert: join(folder, 'client.crt'), sslkey: join(folder, 'client.key') };
      const keep = () => writeFileSync(files.sslcert, localhostCertificate.cert);
      keep();
      writeFileSync(files.sslkey, localhostCertificate.key);
      for (const [name, file] of Object.entries(files)) front.url.searchParams.set(name, file);
      front.url.searchParams.set('sslmode', 'no-verify');
      const encrypted = openDatabase({
        url: front.url.href,
        dataDir: '',
        connectionsMax: 1,
        connectTimeoutMs: 30_000,
        onBackgroundError: () => {},
      });
      onTestFinished(() => encrypted.close());
      const uses: readonly ((db: Database) => Promise<unknown>)[] = [
        (of) => of.runChain(noWrite, {}),
        (of) => sql`select 1`.execute(of.kysely),
        (of) => of.snapshot(async () => {}),
      ];
      spoil(files.sslcert);
      for (const use of uses) expect(isUnavailable(await thrownBy(use(encrypted)))).toBe(true);
      rmSync(files.sslcert, { recursive: true, force: true });
      keep();
      for (const use of uses) await use(encrypted);
    });

    it('does not make what is refused to it later unavailable', async () => {
      const twice = sql`create table processes ()`.execute(db.kysely);
      expect(isUnavailable(await thrownBy(twice))).toBe(false);
    });

    it('that may not write is not kept', async () => {
      const write = () => db.transaction((trx) => trx.kysely.deleteFrom('processes').execute());
      await change('set default_transaction_read_only = on');
      expect(isReadOnly(await thrownBy(write()))).toBe(true);
      await change('reset default_transaction_read_only');
      await write();
    });

    it('whose statements may take no time is not kept', async () => {
      const wait = (seconds: number) => sql`select pg_sleep(${seconds})`.execute(db.kysely);
      await change('set statement_timeout = 20');
      expect(isTooSlow(await thrownBy(wait(60)))).toBe(true);
      await change('reset statement_timeout');
      await wait(0.1);
    });
  });
});
