/** What a command says whose statements PostgreSQL does not answer as it should. */
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { forEachEngine } from '../../test/support/databases/databases.ts';
import { FaultyProxy } from '../../test/support/databases/faulty-proxy.ts';
import { startPooler } from '../../test/support/databases/pooler.ts';
import { addSpender, walletOf } from '../../test/support/money/spending.ts';
import { commandLine } from '../../test/support/processes/command-line.ts';
import { must } from '../lib/assert.ts';

/** As of a database that somebody else made. */
const emptySchema = sql`
  drop schema public cascade; create schema public; grant usage on schema public to public`;

forEachEngine((engine) => {
  const onlyPostgres = {
    skip: engine.name !== 'postgres',
    meta: { skippedBecause: 'concerns PostgreSQL and the way to it' },
  };

  describe('a top-up', onlyPostgres, () => {
    it.each([
      ['is lost', '1.00'],
      ['happens unheard', '26.00'],
    ] as const)('whose commit %s says that nobody knows', async (fate, balance) => {
      const database = await engine.open();
      const { userId } = await addSpender(database, '1');
      const url = must(engine.locationOf(database).url, 'an address');
      const proxy = await FaultyProxy.start(url);
      onTestFinished(() => proxy.stop());
      void proxy.fail('commit', fate);
      const cli = commandLine({ url: proxy.urlOf(url), dataDir: '' });
      const { exitCode, out, err } = await cli.run('wallets', 'top-up', userId, '25');
      expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' });
      expect(err).toMatch(/^error: .* may be made or not: look before you repeat it\n$/);
      expect(await walletOf(database, userId)).toBe(`${balance} balance, 0.00 held, 0 slots`);
    });
  });

  it.each(['migrations', 'wallets'])(
    'a statement about %s that takes longer than PostgreSQL lets it is no bug of ours',
    onlyPostgres,
    async (table) => {
      const database = await engine.open();
      const url = new URL(must(engine.locationOf(database).url, 'an address'));
      url.searchParams.set('options', '-c statement_timeout=1s');
      const cli = commandLine({ url: url.href, dataDir: '' });
      await database.transaction(async ({ kysely }) => {
        await sql`lock table ${sql.table(table)}`.execute(kysely);
        expect(await cli.run('verify')).toEqual({
          exitCode: 1,
          out: '',
          err: 'error: PostgreSQL gave a statement up (canceling statement due to statement timeout): if its account or database has a statement_timeout, raise that\n',
        });
      });
    },
  );

  const pooler =
    'DATABASE_URL leads to a pooler such as PgBouncer, which does not pass on the time limits of connections: it must lead to PostgreSQL itself';

  it.each([
    [
      'refused',
      `the database cannot be reached: unsupported startup parameter: idle_in_transaction_session_timeout; ${pooler}`,
    ],
    ['ignored', pooler],
  ] as const)(
    'a pooler by which time limits are %s is called one, and nothing is done through it',
    onlyPostgres,
    async (unknown, reason) => {
      const database = await engine.open();
      const { url, stop } = await startPooler(
        must(engine.locationOf(database).url, 'an address'),
        unknown,
      );
      onTestFinished(stop);
      const cli = commandLine({ url, dataDir: '' });
      for (const command of [['migrate'], ['users', 'add', 'alice@example.com']]) {
        expect(await cli.run(...command)).toEqual({
          exitCode: 3,
          out: '',
          err: `error: ${reason}\n`,
        });
      }
      expect(await database.kysely.selectFrom('users').selectAll().execute()).toEqual([]);
    },
  );

  it('a standby, which takes no writes, is called one', onlyPostgres, async () => {
    const database = await engine.open();
    const url = new URL(must(engine.locationOf(database).url, 'an address'));
    url.searchParams.set('options', '-c default_transaction_read_only=on');
    const cli = commandLine({ url: url.href, dataDir: '' });
    expect(await cli.run('users', 'add', 'alice@example.com')).toEqual({
      exitCode: 3,
      out: '',
      err: 'error: PostgreSQL takes no writes there (cannot execute INSERT in a read-only transaction): DATABASE_URL must lead to the primary, not to a standby\n',
    });
  });

  it.each([
    ['may make no tables', 'schema public', 'migrate', emptySchema],
    ['has no rights to the tables there are', 'table migrations', 'verify', sql`select 1`],
  ])(
    'an account that %s is told what it needs',
    onlyPostgres,
    async (_what, thing, command, arrange) => {
      const database = await engine.open();
      await arrange.execute(database.kysely);
      const url = new URL(must(engine.locationOf(database).url, 'an address'));
      // An account that every PostgreSQL has, and that owns nothing.
      url.searchParams.set('options', '-c role=pg_monitor');
      const cli = commandLine({ url: url.href, dataDir: '' });
      const { exitCode, out, err } = await cli.run(command);
      expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' });
      // Whoever runs the tests by an account that may not become that one reads so in the same words.
      const reason = `permission denied (for ${thing}|to set role "pg_monitor")`;
      expect(err).toMatch(
        new RegExp(
          `^error: PostgreSQL does not let its account do that \\(${reason}\\): make it the owner of the database and of all that Tintype has there\n$`,
        ),
      );
    },
  );
});
