import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { commandLine } from '../../test/support/command-line.ts';
import { forEachEngine } from '../../test/support/databases.ts';
import type { Database } from './db.ts';
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
      expect(await cli.out('migrate', '--status')).toMatch(/9999-later +2030-01-01T/);
    });
  });

  function migrateAgain(): Promise<unknown> {
    return migrate(database).catch((error: Error) => error.message);
  }
});
