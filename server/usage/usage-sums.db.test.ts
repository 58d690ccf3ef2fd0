import { expect, it } from 'vitest';
import { forEachEngine } from '../../test/support/databases/databases.ts';
import { addUsageRows, usageRow } from '../../test/support/history/usage-rows.ts';
import { addSpender } from '../../test/support/money/spending.ts';
import { sumCostByKey } from './usage-sums.ts';

const fromMs = Date.UTC(2026, 10, 20);

forEachEngine((engine) => {
  it('adds up what was spent with each API key of some users since a moment', async () => {
    const database = await engine.open();
    const one = await addSpender(database, '0');
    const other = await addSpender(database, '0');
    const third = await addSpender(database, '0');
    const ofNoKey = { userId: one.userId, apiKeyId: null };
    await addUsageRows(database, [
      usageRow(one, fromMs - 1),
      usageRow(one, fromMs),
      usageRow(one, fromMs + 1, { unit_price: 30_000, cost: 30_000 }),
      usageRow(other, fromMs + 1),
      usageRow(third, fromMs + 1),
      usageRow(ofNoKey, fromMs + 1, { unit_price: 1_000, cost: 1_000 }),
    ]);
    const userIds = [one.userId, other.userId];
    const spent = await sumCostByKey(database, { userIds, fromMs });
    expect(spent).toEqual(
      new Map([
        [one.apiKeyId, 70_000],
        [other.apiKeyId, 40_000],
        ['', 1_000],
      ]),
    );
    expect(await sumCostByKey(database, { userIds: [], fromMs })).toEqual(new Map());
  });
});
