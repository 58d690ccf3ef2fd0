import { beforeEach, expect, it } from 'vitest';
import { forEachEngine } from '../../test/support/databases/databases.ts';
import {
  addSpender,
  admissionOf,
  type Spender,
  settlementOf,
  startProcess,
} from '../../test/support/money/spending.ts';
import type { Database } from '../db/db.ts';
import { admit, release, settle } from '../flows/money/hold-money.ts';
import { systemClock } from '../lib/clock.ts';
import { markDelivered } from './delivery-store.ts';
import { readHoldTotals } from './hold-totals-store.ts';

forEachEngine((engine) => {
  let database: Database;
  let spender: Spender;
  beforeEach(async () => {
    database = await engine.open();
    spender = await addSpender(database, '10');
  });

  it('counts nothing where nothing is under way', async () => {
    expect(await readHoldTotals(database)).toEqual({
      open: 0,
      undelivered: 0,
      held: 0,
      oldestAtMs: null,
    });
  });

  it('counts what is open, and what is charged and not handed over', async () => {
    const { id: processId } = await startProcess(database);
    const begunAtMs = systemClock.now();
    const traceIds: string[] = [];
    for (let i = 0; i < 5; i++) {
      const admission = admissionOf(spender, { processId });
      await admit(database, systemClock, admission);
      traceIds.push(admission.traceId);
    }
    const [first = '', second = '', third = ''] = traceIds;
    const ending = { status: 'failed', code: 'upstream_error', attempts: '[]' } as const;
    await release(database, systemClock, { traceId: first, ...ending });
    for (const traceId of [second, third]) {
      await settle(database, systemClock, settlementOf(traceId));
    }
    await database.transaction((trx) => markDelivered(trx, [second], systemClock.now()));
    const totals = await readHoldTotals(database);
    expect(totals).toMatchObject({ open: 2, undelivered: 1, held: 200_000 });
    expect(totals.oldestAtMs).toBeGreaterThanOrEqual(begunAtMs);
    expect(totals.oldestAtMs).toBeLessThanOrEqual(systemClock.now());
  });
});
