import { beforeAll, describe, expect, it } from 'vitest';
import { testAccess } from '../../../test/support/console/test-admin.ts';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import { violationsOf } from '../../../test/support/money/spending.ts';
import { findUser } from '../../accounts/user-store.ts';
import type { Database } from '../../db/db.ts';
import { lastClockChange } from '../../lib/time-text.ts';
import { listUsage } from '../../usage/usage-list.ts';
import type { UsageRecord } from '../../usage/usage-record.ts';
import { listTransactions } from '../../wallets/transaction-store.ts';
import { makeDemoHistory } from './demo-history.ts';
import { demoZone, planDemo } from './demo-plan.ts';

const dayMs = 24 * 3_600_000;
/** Long after clocks were last changed. */
const nowMs = Date.UTC(2027, 1, 20, 15, 30);
const people = {
  demo: { email: 'demo@tintype.local', name: 'Demo' },
  admin: { email: 'admin@tintype.local', name: 'Admin' },
};

describe('the plan of the demo', () => {
  it('is the same whenever the same moment is asked for', () => {
    expect(planDemo(nowMs)).toEqual(planDemo(nowMs));
  });

  it('has a day on which clocks were changed, however long ago that is', () => {
    for (const month of [0, 3, 6, 9]) {
      const now = Date.UTC(2027, month, 20);
      const change = lastClockChange(now, demoZone) ?? 0;
      const near = planDemo(now).requests.filter(
        ({ startsAt }) => Math.abs(startsAt - change) < dayMs,
      );
      expect(near.length).toBeGreaterThan(0);
    }
  });
});

forEachEngine((engine) => {
  let database: Database;
  let records: readonly UsageRecord[];

  beforeAll(async () => {
    database = await engine.open();
    const access = testAccess();
    await makeDemoHistory({ database, access, people, keyPrefix: 'tin', nowMs });
    records = (await listUsage(database, {}, { after: null, limit: 10_000 })).items;
  });

  it('leaves books that are right', async () => {
    expect(await violationsOf(database)).toEqual([]);
  });

  it('fills thirty days, all of them past', () => {
    const days = new Set(
      records
        .filter(({ startedAt }) => startedAt >= nowMs - 30 * dayMs)
        .map(({ startedAt }) => Math.floor((nowMs - startedAt) / dayMs)),
    );
    expect(days.size).toBe(30);
    expect(records.every(({ endedAt }) => endedAt !== null && endedAt < nowMs)).toBe(true);
  });

  it('knows every way in which a request can end', () => {
    const endings = new Set(records.map(({ status, code }) => code ?? status));
    expect([...endings].sort()).toEqual([
      'client_gone',
      'insufficient_quota',
      'invalid_request_error',
      'rate_limit',
      'succeeded',
      'upstream_error',
    ]);
  });

  it('has three models, two people and every kind of transaction', async () => {
    expect(new Set(records.map(({ model }) => model)).size).toBe(3);
    expect(new Set(records.map(({ userId }) => userId)).size).toBe(2);
    const admin = await findUser(database, people.admin.email);
    expect(admin).toMatchObject({ role: 'admin', disabledAt: null });
    const entries = await listTransactions(database, { limit: 10_000 });
    expect([...new Set(entries.map(({ kind }) => kind))].sort()).toEqual([
      'adjustment',
      'charge',
      'refund',
      'top_up',
    ]);
    const reasons = entries.filter(({ kind }) => kind === 'refund').map(({ reason }) => reason);
    expect(new Set(reasons)).toEqual(new Set(['the picture came out wrong', 'not delivered']));
  });
});
