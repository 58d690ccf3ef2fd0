import { expect, it } from 'vitest';
import { forEachEngine } from '../../test/support/databases.ts';
import { addUsageRows, usageRow } from '../../test/support/usage-rows.ts';
import { insertUser } from '../accounts/user-store.ts';
import { countCodeByUser } from './usage-stats.ts';

const nowMs = Date.UTC(2026, 10, 20);

forEachEngine((engine) => {
  it('counts a code for those who got it the most often, up to a limit', async () => {
    const database = await engine.open();
    const code = 'insufficient_quota';
    const refused = { usr_a: 1, usr_b: 3, usr_c: 2, usr_d: 1 };
    await database.transaction(async (trx) => {
      for (const id of Object.keys(refused)) {
        const account = { email: `${id}@example.com`, name: id, role: 'user' as const };
        const times = { createdAt: nowMs, disabledAt: null, erasedAt: null };
        await insertUser(trx, { id, ...account, ...times, slotsMax: null });
      }
    });
    const rows = Object.entries(refused).flatMap(([userId, times]) =>
      Array.from({ length: times }, () => usageRow({ userId }, nowMs, { code })),
    );
    await addUsageRows(database, [...rows, usageRow({ userId: 'usr_a' }, nowMs)]);
    const range = { fromMs: nowMs, toMs: nowMs + 1 };
    const count = async (limit: number) => [
      ...(await countCodeByUser(database, range, code, { limit })),
    ];
    expect(await count(3)).toEqual([
      ['usr_b', 3],
      ['usr_c', 2],
      ['usr_a', 1],
    ]);
    expect(await count(4)).toContainEqual(['usr_d', 1]);
  });
});
