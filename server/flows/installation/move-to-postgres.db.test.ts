/** What is different about a move when the target is PostgreSQL. */
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { testAdmin } from '../../../test/support/console/test-admin.ts';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import {
  contentsOf,
  contentsOfMoved,
  type EmbeddedInstallation,
  makeHistory,
  openEmbedded,
  tablesOf,
} from '../../../test/support/history/installation.ts';
import type { Database } from '../../db/db.ts';
import { type MoveOutcome, moveInstallation } from './move-installation.ts';

forEachEngine((engine) => {
  const onlyPostgres = {
    skip: engine.name !== 'postgres',
    meta: { skippedBecause: 'concerns only PostgreSQL as a target' },
  };

  describe('a move to PostgreSQL', onlyPostgres, () => {
    let source: EmbeddedInstallation;
    let target: Database;

    beforeEach(async () => {
      source = await openEmbedded();
      target = await engine.open();
    });

    it('refuses a text that PostgreSQL cannot hold, and says where it is', async () => {
      const { userId } = await makeHistory(source.database);
      await source.database.transaction((trx) =>
        trx.kysely.updateTable('users').set({ name: 'a\0b' }).where('id', '=', userId).execute(),
      );
      await expect(move()).rejects.toThrow(
        `PostgreSQL cannot hold the NUL character in name of row ${userId} in table users: change that text first`,
      );
    });

    it('makes the schema in a database that has none', async () => {
      await makeHistory(source.database);
      await sql`drop schema public cascade`.execute(target.kysely);
      await sql`create schema public`.execute(target.kysely);
      await sql`create table somebody_elses (id text)`.execute(target.kysely);
      const before = await contentsOf(source.database);
      expect(await move()).toMatchObject({ kind: 'moved' });
      expect(await contentsOfMoved(target)).toEqual(before);
      expect(await tablesOf(target)).toContain('somebody_elses');
    });

    function move(): Promise<MoveOutcome> {
      const { clock } = testAdmin(target);
      const way = { restart: false, onProgress: () => {}, pieceRows: 3, actor: 'cli:test' };
      return moveInstallation({ source: source.database, target, clock, ...way });
    }
  });
});
