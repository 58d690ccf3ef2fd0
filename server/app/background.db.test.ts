import { expect, it, onTestFinished } from 'vitest';
import { startTestApp } from '../../test/support/app.ts';
import { forEachEngine } from '../../test/support/databases/databases.ts';
import { addUsageRows, usageRow } from '../../test/support/history/usage-rows.ts';
import { ManualClock } from '../../test/support/manual-clock.ts';

const dayMs = 86_400_000;
const pruneEveryMs = 600_000;

forEachEngine((engine) => {
  it('prunes nothing too soon on a machine whose clock is years ahead', async () => {
    const nowMs = Date.now();
    const clock = new ManualClock(nowMs + 1_000 * dayMs);
    const app = await startTestApp(engine.locationOf(await engine.open()), { clock });
    onTestFinished(() => app.stop());
    const { id: userId } = await app.addUser();
    const [old, ...young] = [500, 300, 1].map((days) => nowMs - days * dayMs);
    const rows = [old, ...young].map((at = 0) => usageRow({ userId }, at, { status: 'failed' }));
    await addUsageRows(app.database, rows);
    const kept = async () => {
      const query = app.database.kysely.selectFrom('usage_records').select('started_at');
      return (await query.orderBy('started_at').execute()).map((row) => row.started_at);
    };
    await clock.untilSleepingFor(pruneEveryMs);
    clock.advance(pruneEveryMs);
    await expect.poll(kept).not.toContain(old);
    expect(await kept()).toEqual(young);
  });
});
