import { spawnSync } from 'node:child_process';
import Sqlite from 'better-sqlite3';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { amount, testAdmin } from '../../../test/support/console/test-admin.ts';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import {
  cutOff,
  interceptTransactions,
} from '../../../test/support/databases/intercepted-database.ts';
import {
  contentsOf,
  contentsOfMoved,
  type EmbeddedInstallation,
  leaveUnfinished,
  makeHistory,
  openEmbedded,
  openedSecrets,
  tablesOf,
} from '../../../test/support/history/installation.ts';
import {
  addSpender,
  startProcess,
  violationsOf,
  walletOf,
} from '../../../test/support/money/spending.ts';
import { listAuditEntries } from '../../audit/audit-store.ts';
import type { Database } from '../../db/db.ts';
import { tableNames } from '../../db/tables.ts';
import { systemClock } from '../../lib/clock.ts';
import { renewLease } from '../../wallets/lease-store.ts';
import { adjustWallet } from '../money/adjust-wallet.ts';
import { hostId } from '../money/keep-lease.ts';
import { type Move, type MoveOutcome, moveInstallation } from './move-installation.ts';

const pieceRows = 3;

forEachEngine((engine) => {
  let source: EmbeddedInstallation;
  let target: Database;

  beforeEach(async () => {
    source = await openEmbedded();
    target = await engine.open();
  });

  describe('a move', () => {
    it('brings every row of every table, as it is', async () => {
      await makeHistory(source.database);
      const before = await contentsOf(source.database);
      const outcome = await move();
      expect(outcome).toMatchObject({ kind: 'moved', tables: tableNames.length });
      expect(await contentsOfMoved(target)).toEqual(before);
      expect(await contentsOf(source.database)).toEqual(before);
      expect(await violationsOf(target)).toEqual([]);
    });

    it('brings the secrets of upstreams, which open with the same secret key', async () => {
      await makeHistory(source.database);
      await move();
      expect(await openedSecrets(target)).toEqual([
        'the key studio/main: hunter2-of-main',
        'the key studio/spare: hunter2-of-spare',
        'the proxy of studio: http://me:pr0xy-pw@10.0.0.1:3128',
      ]);
    });

    it('is in the audit of the target, and leaves nothing else of its own', async () => {
      await makeHistory(source.database);
      await move();
      const page = { after: null, limit: 1 };
      const { items } = await listAuditEntries(target, { action: 'installation.move' }, page);
      expect(items).toMatchObject([{ actor: 'cli:test', detail: { to: engine.name } }]);
      expect(await tablesOf(target)).toEqual([...tableNames].sort());
    });

    it('has only a piece in memory, and says how far it is', async () => {
      await makeHistory(source.database);
      const seen: string[] = [];
      await move({
        onProgress: ({ step, table, position, tables, rows, rowsTotal, added }) => {
          expect(added).toBeLessThanOrEqual(pieceRows);
          if (table !== 'users') return;
          expect({ position, tables }).toEqual({ position: 1, tables: tableNames.length });
          seen.push(`${step} ${rows}/${rowsTotal}`);
        },
      });
      expect(seen.slice(0, 3)).toEqual(['copy 3/7', 'copy 6/7', 'copy 7/7']);
      expect(seen.at(-1)).toBe('compare 14/14');
    });

    it('ends on the target what dead processes left, and leaves the source as it was', async () => {
      const spender = await makeHistory(source.database);
      await leaveUnfinished(source.database, spender);
      const before = await contentsOf(source.database);
      expect(await walletOf(source.database, spender.userId)).toMatch(/0\.10 held, 1 slots$/);
      expect(await move()).toMatchObject({ kind: 'moved', books: { violations: [] } });
      expect(await walletOf(target, spender.userId)).toMatch(/0\.00 held, 0 slots$/);
      expect(await contentsOf(source.database)).toEqual(before);
    });

    it('brings wrong books as they are, and says so', async () => {
      await makeHistory(source.database);
      await source.database.transaction((trx) =>
        trx.kysely.updateTable('wallets').set({ balance: 9_000_000 }).execute(),
      );
      const outcome = await move();
      expect(outcome).toMatchObject({ kind: 'moved' });
      if (outcome.kind === 'moved') expect(outcome.books.violations).not.toEqual([]);
    });

    it('keeps everybody else from writing to the source', async () => {
      await makeHistory(source.database);
      const other = new Sqlite(source.file, { timeout: 0 });
      const tries: string[] = [];
      await move({
        onProgress: () => {
          try {
            other.exec('begin immediate; rollback');
            tries.push('wrote');
          } catch (error) {
            tries.push(error instanceof Sqlite.SqliteError ? error.code : String(error));
          }
        },
      });
      other.close();
      expect(new Set(tries)).toEqual(new Set(['SQLITE_BUSY']));
    });
  });

  describe('interrupted', () => {
    it.each(['before', 'after'] as const)(
      'at any moment, %s what was under way was committed, goes on where it stopped',
      async (when) => {
        await makeHistory(source.database);
        const before = await contentsOf(source.database);
        const pieces = Object.values(before).map((rows) => Math.floor(rows.length / pieceRows) + 1);
        expect(await insist(when)).toBeGreaterThan(pieces.reduce((sum, count) => sum + count));
        expect(await contentsOfMoved(target)).toEqual(before);
        expect(await tablesOf(target)).toEqual([...tableNames].sort());
        expect(await violationsOf(target)).toEqual([]);
      },
    );

    it('while it compared, compares again', async () => {
      await makeHistory(source.database);
      const before = await contentsOf(source.database);
      const onProgress = ({ step }: { step: string }) => {
        if (step === 'compare') throw new Error('power cut');
      };
      await expect(move({ onProgress })).rejects.toThrow('power cut');
      expect(await move({ onProgress: () => {} })).toMatchObject({ kind: 'moved' });
      expect(await contentsOfMoved(target)).toEqual(before);
    });

    it('does not go on when the source has changed', async () => {
      const { userId } = await makeHistory(source.database);
      await interrupt('holds');
      const admin = testAdmin(source.database, 'meanwhile');
      await adjustWallet(admin, { user: userId, amount: amount('-0.01') });
      await expect(move()).rejects.toThrow(
        'the target holds an unfinished move of another source, or this source has changed since ' +
          '(wallets, wallet_transactions, audit_entries): --restart clears the target and begins again',
      );
    });

    it('begins again when told to', async () => {
      const { userId } = await makeHistory(source.database);
      await interrupt('audit_entries');
      const admin = testAdmin(source.database, 'meanwhile');
      await adjustWallet(admin, { user: userId, amount: amount('-0.01') });
      const before = await contentsOf(source.database);
      expect(await move({ restart: true })).toMatchObject({ kind: 'moved' });
      expect(await contentsOfMoved(target)).toEqual(before);
    });

    it('does not mix two sources', async () => {
      await makeHistory(source.database);
      await interrupt('holds');
      const other = await openEmbedded();
      await makeHistory(other.database);
      await expect(move({ source: other.database })).rejects.toThrow(/of another source/);
    });
  });

  describe('is refused', () => {
    it.each([false, true])('when the target is in use (restart: %s)', async (restart) => {
      await makeHistory(source.database);
      await addSpender(target, '1.00');
      const before = await contentsOf(target);
      await expect(move({ restart })).rejects.toThrow(
        'the target has data already (table users): an installation moves only into an empty database',
      );
      expect(await contentsOf(target)).toEqual(before);
    });

    it.each([false, true])(
      'when it is there already, and in use (restart: %s)',
      async (restart) => {
        const { userId } = await makeHistory(source.database);
        const snapshot = () => Promise.reject(new Error('power cut'));
        const dying = { ...interceptTransactions(target, {}), snapshot };
        await expect(move({ target: dying })).rejects.toThrow('power cut');
        await addSpender(target, '1.00');
        const before = await contentsOf(target);
        await expect(move({ restart: true })).rejects.toThrow(/same command without --restart/);
        const admin = testAdmin(source.database, 'meanwhile');
        await adjustWallet(admin, { user: userId, amount: amount('-0.01') });
        await expect(move({ restart })).rejects.toThrow(/not cleared: .* changed since \(wallets/);
        expect(await contentsOf(target)).toEqual(before);
      },
    );

    it('while a service runs on the source', async () => {
      await startProcess(source.database);
      await expect(move()).rejects.toThrow(
        /^a service runs on this database \(process 1 on elsewhere, or it has died .*\): stop it first$/,
      );
    });

    it('while a service runs on the target', async () => {
      await startProcess(target);
      await expect(move()).rejects.toThrow(/^a service runs on this database/);
    });

    it('but not for a service of this machine that has crashed', async () => {
      const { pid } = spawnSync(process.execPath, ['--version']);
      const crashed = { id: 'proc_1', host: hostId(), pid, startedAt: systemClock.now() };
      await renewLease(source.database, crashed, 60_000);
      expect(await move()).toMatchObject({ kind: 'moved' });
    });

    it('while a service runs on this very machine', async () => {
      const running = { id: 'proc_1', host: hostId(), pid: process.ppid, startedAt: 0 };
      await renewLease(source.database, running, 60_000);
      await expect(move()).rejects.toThrow(`(process ${process.ppid}): stop it first`);
    });
  });

  describe('says what differs', () => {
    it.each<[string, (db: Database) => Promise<unknown>, RegExp[]]>([
      [
        'an amount',
        (db) => sql`update wallets set balance = balance + 1 where balance > 0`.execute(db.kysely),
        [/^wallets: Σ balance is \d+ at the source and \d+ at the target$/, /^wallets: the hash /],
      ],
      [
        'a text',
        (db) => sql`update users set name = 'zoé' where name = 'zoe'`.execute(db.kysely),
        [/^users: the hash of all rows is [0-9a-f]{64} at the source and [0-9a-f]{64} at/],
      ],
      [
        'a missing row',
        (db) => sql`delete from settings`.execute(db.kysely),
        [/^settings: rows are 1 at the source and 0 at the target$/, /^settings: the hash /],
      ],
    ])('%s', async (_what, tamper, expected) => {
      await makeHistory(source.database);
      const meddler = engine.openAgain(target);
      const tampering = interceptTransactions(target, {
        after: async (done) => {
          if ((await notesIn(meddler)).some((note) => note.startsWith('table revisions'))) {
            await tamper(meddler);
          }
          return done;
        },
      });
      const outcome = await move({ target: tampering });
      expect(outcome).toEqual({
        kind: 'different',
        differences: expected.map((line): unknown => expect.stringMatching(line)),
      });
      expect(await notesIn(target)).not.toEqual([]);
    });
  });

  function move(changes: Partial<Move> = {}): Promise<MoveOutcome> {
    const { clock } = testAdmin(target);
    const standard = { restart: false, onProgress: () => {}, pieceRows, actor: 'cli:test' };
    return moveInstallation({ source: source.database, target, clock, ...standard, ...changes });
  }

  async function interrupt(atTable: string): Promise<void> {
    const onProgress = ({ table }: { table: string }) => {
      if (table === atTable) throw new Error('power cut');
    };
    await expect(move({ onProgress })).rejects.toThrow('power cut');
  }

  /**
   * Runs the move again and again until one is done. Each run is cut off when it has committed one
   * transaction, or some more when the run before got nowhere.
   */
  async function insist(when: 'before' | 'after'): Promise<number> {
    const fewest = when === 'before' ? 1 : 0;
    let allowed = fewest;
    let notes = '';
    for (let runs = 1; ; runs++) {
      const failing = cutOff(target, { when, allowed });
      try {
        const { kind } = await move({ target: failing });
        expect(kind).toBe('moved');
        return runs;
      } catch (error) {
        // Done: it only was not told.
        if (String(error).includes('has data already')) return runs;
        expect(String(error)).toContain('power cut');
      }
      const now = (await notesIn(target)).join();
      allowed = now === notes ? allowed + 1 : fewest;
      notes = now;
    }
  }
});

async function notesIn(target: Database): Promise<string[]> {
  if (!(await tablesOf(target)).includes('installation_move')) return [];
  const { rows } = await sql<{ name: string; value: string }>`
    select name, value from installation_move order by name`.execute(target.kysely);
  return rows.map(({ name, value }) => `${name} ${value}`);
}
