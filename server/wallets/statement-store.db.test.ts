import { beforeEach, expect, it } from 'vitest';
import { amount, testAdmin } from '../../test/support/console/test-admin.ts';
import { forEachEngine } from '../../test/support/databases/databases.ts';
import { addSpender } from '../../test/support/money/spending.ts';
import type { Database } from '../db/db.ts';
import { adjustWallet } from '../flows/money/adjust-wallet.ts';
import { makeStatement } from './statement.ts';
import { readLedgerSpan, type SpanRequest } from './statement-store.ts';

const hour = 3_600_000;

forEachEngine((engine) => {
  let database: Database;
  let userId: string;
  let start: number;

  beforeEach(async () => {
    database = await engine.open();
    const admin = testAdmin(database, 'test');
    start = admin.clock.now();
    ({ userId } = await addSpender(database, '10'));
    for (const text of ['1', '-2', '4']) {
      admin.clock.advance(hour);
      await adjustWallet(admin, { user: userId, amount: amount(text) });
    }
    // Somebody else's money is in the same table.
    await addSpender(database, '100');
  });

  it('is the whole ledger when no time is given', async () => {
    const { entries, ...span } = await read({});
    expect(span).toEqual({ sumBefore: 0, before: null, balanceNow: amount('13') });
    expect(entries.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
  });

  it('begins with the first transaction at its time, and ends before the first at its end', async () => {
    const { entries, ...span } = await read({ fromMs: start + hour, toMs: start + 3 * hour });
    expect(span).toMatchObject({
      sumBefore: amount('10'),
      before: { seq: 1, balanceAfter: amount('10') },
      balanceNow: null,
    });
    expect(entries.map(({ seq }) => seq)).toEqual([2, 3]);
  });

  it('is empty between two transactions, and after the last', async () => {
    expect(await read({ fromMs: start + 1, toMs: start + 2 })).toMatchObject({
      sumBefore: amount('10'),
      entries: [],
      balanceNow: null,
    });
    expect(await read({ fromMs: start + 9 * hour })).toMatchObject({
      sumBefore: amount('13'),
      before: { seq: 4 },
      entries: [],
      balanceNow: amount('13'),
    });
  });

  it.each([
    ['half an hour', 0.5],
    ['most of a day', 23],
  ])(
    'puts each transaction on one side of a cut although a clock went back by %s',
    async (_, hours) => {
      const late = testAdmin(database, 'by a process whose clock is behind');
      late.clock.advance((3 - hours) * hour);
      // Among several, a search by halves meets one that is earlier than those before it.
      for (const text of ['-1', '-3']) {
        await adjustWallet(late, { user: userId, amount: amount(text) });
      }
      const cut = start + 3 * hour;
      const [before, after] = [await read({ toMs: cut }), await read({ fromMs: cut })];
      expect(before.entries.map(({ seq }) => seq)).toEqual([1, 2, 3]);
      expect(after.entries.map(({ seq }) => seq)).toEqual([4, 5, 6]);
      const [first, second] = [makeStatement(before), makeStatement(after)];
      expect([...first.problems, ...second.problems]).toEqual([]);
      expect(second.opening).toBe(first.closing);
    },
  );

  function read(range: Omit<SpanRequest, 'userId'>) {
    return database.snapshot((db) => readLedgerSpan(db, { userId, ...range }));
  }
});
