import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { forEachEngine } from '../../test/support/databases/databases.ts';
import { commandLine } from '../../test/support/processes/command-line.ts';
import { must } from '../lib/assert.ts';
import type { Database } from './db.ts';
import { listNames } from './engine.ts';
import { migrate, migrationStatus } from './migrate.ts';
import { migrations } from './migrations/migrations.ts';

forEachEngine((engine) => {
  let database: Database;

  beforeEach(async () => {
    database = await engine.open();
  });

  it('says of each migration when it ran', async () => {
    const status = await migrationStatus(database);
    expect(status.map(({ name }) => name)).toEqual(Object.keys(migrations));
  });

  describe('a database that a newer version has migrated', () => {
    const executedAt = '2030-01-01T00:00:00.000Z';

    beforeEach(async () => {
      await sql`insert into migrations values ('9999-later', ${executedAt})`.execute(
        database.kysely,
      );
    });

    it('is shown with what this version does not know', async () => {
      const status = await migrationStatus(database);
      expect(status.at(-1)).toEqual({ name: '9999-later', executedAt });
      expect(await migrateAgain()).toBe(
        'a newer version of Tintype has migrated the database (9999-later): run that one, or restore a backup from before',
      );
    });

    it('is left alone by every command', async () => {
      const cli = commandLine(engine.locationOf(database));
      for (const command of [['users', 'add', 'a@example.com'], ['verify'], ['migrate']]) {
        expect(await cli.run(...command)).toEqual({
          exitCode: 1,
          out: '',
          err: expect.stringMatching(/^error: a newer version of Tintype has migrated [^\n]*\n$/),
        });
      }
      expect(await cli.out('migrate', '--status')).toMatch(/9999-later +2030-01-01 /);
    });
  });

  const onlyPostgres = {
    skip: engine.name !== 'postgres',
    meta: { skippedBecause: 'the embedded database has a file of its own' },
  };
  describe('a database of another program', onlyPostgres, () => {
    const message = (names: string) =>
      `the database has names that Tintype needs and did not make: ${names}. ` +
      'Give Tintype a database, or a schema, of its own.';
    const namesHere = async () => [...(await listNames(database))].sort();

    beforeEach(async () => {
      await sql`drop schema public cascade`.execute(database.kysely);
      await sql`create schema public`.execute(database.kysely);
    });

    it.each<[string, string]>([
      ['create table users (id int)', 'users'],
      ['create table models (id int); create table settings (id int)', 'models, settings'],
      ['create view wallets as select 1 as one', 'wallets'],
      ['create sequence holds', 'holds'],
      ["create type codes as enum ('red', 'green')", 'codes'],
      ['create table installation_move (id int)', 'installation_move'],
      ['create table migrations (id int, name text, timestamp bigint)', 'migrations'],
    ])('that did %j is left as it is', async (ddl, names) => {
      await sql.raw(ddl).execute(database.kysely);
      const before = await namesHere();
      expect(await migrateAgain()).toBe(message(names));
      expect(await namesHere()).toEqual(before);
    });

    it('that uses other names may be shared', async () => {
      await sql`create table their_users (id int)`.execute(database.kysely);
      expect(await migrate(database)).toEqual(Object.keys(migrations));
    });

    it('that uses our names may be shared by a schema of our own', async () => {
      await sql`create table migrations (id int, batch int)`.execute(database.kysely);
      await sql`create table users (id int)`.execute(database.kysely);
      const before = await namesHere();
      const cli = commandLine({ url: inSchema('pictures'), dataDir: '' });
      const { exitCode, err } = await cli.run('migrate');
      expect({ exitCode, err }).toEqual({
        exitCode: 1,
        err: expect.stringMatching(/^error: the database has no schema [^\n]*: create it first\n$/),
      });
      await sql`create schema pictures`.execute(database.kysely);
      await cli.out('migrate');
      await cli.out('users', 'add', 'a@example.com');
      expect(await cli.out('migrate')).toBe('The schema is up to date\n');
      expect(await cli.out('verify')).toContain('1 wallet, ');
      expect(await namesHere()).toEqual(before);
    });

    it('is told from one that cannot be reached', async () => {
      await sql`create table migrations (id int, batch int)`.execute(database.kysely);
      const cli = commandLine(engine.locationOf(database));
      for (const command of ['migrate', 'verify']) {
        const err = `error: ${message('migrations')}\n`;
        expect(await cli.run(command)).toEqual({ exitCode: 1, out: '', err });
      }
    });
  });

  it(
    'a database whose encoding has not every character is left as it is',
    onlyPostgres,
    async () => {
      const { kysely } = database;
      const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(
        kysely,
      );
      const name = `${rows[0]?.name}_latin1`;
      await sql
        .raw(
          `create database ${name} encoding 'LATIN1' lc_collate 'C' lc_ctype 'C' template template0`,
        )
        .execute(kysely);
      const url = new URL(must(engine.locationOf(database).url, 'an address'));
      url.pathname = `/${name}`;
      const cli = commandLine({ url: url.href, dataDir: '' });
      const { exitCode, err } = await cli.run('migrate');
      await sql.raw(`drop database ${name}`).execute(kysely);
      expect(exitCode).toBe(1);
      expect(err).toMatch(/^error: the database has the encoding LATIN1, [^\n]* with UTF8 /);
    },
  );

  function inSchema(name: string): string {
    const url = new URL(must(engine.locationOf(database).url, 'an address'));
    url.searchParams.set('options', `-c search_path=${name}`);
    return url.href;
  }

  function migrateAgain(): Promise<unknown> {
    return migrate(database).catch((error: Error) => error.message);
  }
});
