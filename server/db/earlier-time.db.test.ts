import { expect, it } from 'vitest';
import { forEachEngine } from '../../test/support/databases/databases.ts';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { earlierTime } from './earlier-time.ts';

const yearMs = 365 * 86_400_000;

forEachEngine((engine) => {
  it("is the database's where the process is years ahead, and otherwise the process's", async () => {
    const database = await engine.open();
    const before = Date.now() - 60_000;
    const ahead = await earlierTime(database, new ManualClock(before + 3 * yearMs));
    expect(ahead).toBeGreaterThan(before);
    expect(ahead).toBeLessThan(before + yearMs);
    expect(await earlierTime(database, new ManualClock(before - 3 * yearMs))).toBe(
      before - 3 * yearMs,
    );
  });
});
