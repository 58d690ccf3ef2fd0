/** What prunes the history by and by: when, how much at once, and that one process does it. */
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import { fillHistory } from '../../../test/support/history/filled-history.ts';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { violationsOf } from '../../../test/support/money/spending.ts';
import { insertAuditEntry } from '../../audit/audit-store.ts';
import { claimChore, readDoneUntil } from '../../db/chores.ts';
import type { Database } from '../../db/db.ts';
import type { Clock } from '../../lib/clock.ts';
import { createLogger } from '../../lib/logger.ts';
import { readSettings } from '../../settings/settings-store.ts';
import { HistoryPruner, type HistoryPrunerOptions } from './prune-history.ts';

const dayMs = 24 * 3_600_000;
const fromMs = Date.UTC(2026, 0, 1);
const toMs = fromMs + 100 * dayMs;
/** Of the hundred days, what is pruned. */
const beforeMs = fromMs + 60 * dayMs;

forEachEngine((engine) => {
  let database: Database;

  beforeEach(async () => {
    database = await engine.open();
    await fillHistory(database, { wallets: 4, steps: 2_600, fromMs, toMs });
  });

  it('prunes what is older than the settings say, to the day', async () => {
    const pruner = prunerAt(toMs + 5_000, { usageDaysKept: 40 });
    const { records } = await pruner.pruneDue();
    expect(records).toBeGreaterThan(1_300);
    expect(await oldest('usage_records', 'started_at')).toBeGreaterThanOrEqual(beforeMs);
    expect(await doneUntil()).toEqual([{ done_until: beforeMs }]);
    expect(await pruner.pruneDue()).toEqual({ records: 0, entries: 0 });
  });

  it('keeps everything when the settings say 0', async () => {
    await addAudit(fromMs);
    const pruner = prunerAt(toMs + 5_000 * dayMs, { usageDaysKept: 0, auditDaysKept: 0 });
    expect(await pruner.pruneDue()).toEqual({ records: 0, entries: 0 });
  });

  it.each([
    ['died', -1],
    ['claimed it before the clock was set back', 8 * 3_600_000],
  ])('leaves it to another process, and goes on when that one %s', async (_, forMs) => {
    const claim = { name: 'prune_usage', by: 'proc_other' } as const;
    await database.transaction((trx) => claimChore(trx, { ...claim, forMs: 60_000 }));
    const pruner = prunerAt(toMs, { usageDaysKept: 40 });
    expect(await pruner.pruneDue()).toEqual({ records: 0, entries: 0 });
    await database.transaction((trx) => claimChore(trx, { ...claim, forMs }));
    expect((await pruner.pruneDue()).records).toBeGreaterThan(1_300);
  });

  it('deletes old audit entries, more than a batch of them', async () => {
    for (let n = 0; n < 150; n++) await addAudit(fromMs + n, n);
    await addAudit(beforeMs, 150);
    const pruner = prunerAt(toMs, { auditDaysKept: 40 });
    expect((await pruner.pruneDue()).entries).toBe(150);
    expect(await oldest('audit_entries', 'created_at')).toBe(beforeMs);
  });

  describe('where the clock is suddenly years ahead', () => {
    const yearMs = 365 * dayMs;
    let nowMs = toMs;
    let lines: unknown[];

    beforeEach(() => {
      nowMs = toMs;
      lines = [];
    });

    const start = () =>
      prunerAt(toMs, { usageDaysKept: 40 }, restless(toMs), {
        now: async () => nowMs,
        log: createLogger('warn', {
          write: (line) => void lines.push(JSON.parse(line) as unknown),
        }),
      });

    it('prunes no faster than an hour for each look, and says so once', async () => {
      const pruner = start();
      expect((await pruner.pruneDue()).records).toBeGreaterThan(1_300);
      nowMs += 3 * yearMs;
      for (let looks = 0; looks < 23; looks++) {
        expect(await pruner.pruneDue()).toEqual({ records: 0, entries: 0 });
      }
      expect(await oldest('usage_records', 'started_at')).toBeLessThan(beforeMs + dayMs);
      expect((await pruner.pruneDue()).records).toBeGreaterThan(0);
      expect(await oldest('usage_records', 'started_at')).toBeLessThan(beforeMs + 2 * dayMs);
      expect(lines).toEqual([
        expect.objectContaining({
          msg: 'the clock is far ahead of the last pruning, which catches up slowly',
          now: '2029-04-10T00:00:00.000Z',
          pruned_until: '2026-04-11T00:00:00.000Z',
        }),
      ]);
    });

    it('goes on as before once the clock is right again', async () => {
      const pruner = start();
      await pruner.pruneDue();
      nowMs += 3 * yearMs;
      await pruner.pruneDue();
      nowMs = toMs + dayMs;
      for (let looks = 0; looks < 24; looks++) await pruner.pruneDue();
      expect(await doneUntil()).toEqual([{ done_until: beforeMs + dayMs }]);
    });

    it('one of several processes takes each step, and none that has just started', async () => {
      const pruners = [start(), start(), start()];
      for (const pruner of pruners) await pruner.pruneDue();
      nowMs += 3 * yearMs;
      for (const pruner of [...pruners, start()]) await pruner.pruneDue();
      expect(await readDoneUntil(database, 'forget_ended')).toBe(toMs + 3_600_000);
    });
  });

  it('stops between two batches when it is told to', async () => {
    const clock = new ManualClock(toMs);
    const pruner = prunerAt(toMs, { usageDaysKept: 40 }, clock);
    pruner.start();
    clock.advance(10 * 60_000);
    await clock.untilSleeping();
    await pruner.stop();
    expect(await countDays()).toBeGreaterThan(0);
    expect(await oldest('usage_records', 'started_at')).toBeLessThan(beforeMs);
    expect(await doneUntil()).toEqual([{ done_until: 0 }]);
    expect(await violationsOf(database)).toEqual([]);
  });

  function prunerAt(
    nowMs: number,
    kept: { usageDaysKept?: number; auditDaysKept?: number },
    clock: Clock = restless(nowMs),
    more: Partial<HistoryPrunerOptions> = {},
  ): HistoryPruner {
    return new HistoryPruner({
      database,
      clock,
      now: async () => nowMs,
      log: createLogger('silent'),
      settings: { current: async () => ({ ...(await readSettings(database)), ...kept }) },
      processId: 'proc_test',
      ...more,
    });
  }

  function doneUntil() {
    const chores = database.kysely.selectFrom('chores').where('name', '=', 'prune_usage');
    return chores.select('done_until').execute();
  }

  async function countDays(): Promise<number> {
    const days = database.kysely.selectFrom('usage_days');
    const { n } = await days
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow();
    return n;
  }

  async function oldest(table: string, column: string): Promise<number> {
    const { rows } = await sql<{ ms: number }>`
      select min(${sql.ref(column)}) as ms from ${sql.table(table)}`.execute(database.kysely);
    return rows[0]?.ms ?? Number.NaN;
  }

  function addAudit(createdAt: number, n = 0): Promise<void> {
    const id = `aud_${String(n).padStart(26, '0')}`;
    const entry = { id, actor: 'cli:test', action: 'test.note', subject: 'x', reason: null };
    return database.transaction((trx) =>
      insertAuditEntry(trx, { ...entry, detail: {}, createdAt }),
    );
  }
});

/** A clock that stands still and on which nobody waits. */
function restless(nowMs: number): Clock {
  return { now: () => nowMs, monotonic: () => 0, sleep: async () => {} };
}
