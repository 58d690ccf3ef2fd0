import { beforeEach, expect, it } from 'vitest';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import {
  addSpender,
  admissionOf,
  type Spender,
  settlementOf,
  startProcess,
  violationsOf,
  walletOf,
} from '../../../test/support/money/spending.ts';
import type { Database } from '../../db/db.ts';
import { readHold } from '../../wallets/delivery-store.ts';
import { type Admission, admit, settle } from './hold-money.ts';
import { sweepStrays } from './sweep-holds.ts';

const nothing = { expired: 0, refunded: 0, stuck: [] };

forEachEngine((engine) => {
  const known = new Set<string>();
  let database: Database;
  let clock: ManualClock;
  let spender: Spender;
  let process: Awaited<ReturnType<typeof startProcess>>;

  beforeEach(async () => {
    database = await engine.open();
    spender = await addSpender(database, '1.00');
    process = await startProcess(database);
    known.clear();
    clock = new ManualClock();
  });

  const sweep = () =>
    sweepStrays(database, clock, {
      processId: process.id,
      isKnown: (traceId) => known.has(traceId),
    });

  it('releases a hold of this process that no request stands behind', async () => {
    const { traceId } = await admitted();
    clock.advance(60_001);
    expect(await sweep()).toEqual({ ...nothing, expired: 1 });
    expect(await readHold(database, traceId)).toMatchObject({ state: 'released' });
    expect(await violationsOf(database)).toEqual([]);
  });

  it('returns a charge that no answer stands behind', async () => {
    const { traceId } = await admitted();
    await settle(database, clock, settlementOf(traceId));
    clock.advance(60_001);
    expect(await sweep()).toEqual({ ...nothing, refunded: 1 });
    expect(await walletOf(database, spender.userId)).toBe('1.00 balance, 0.00 held, 0 slots');
  });

  it('leaves alone what this process works on, however long', async () => {
    const { traceId } = await admitted();
    known.add(traceId);
    clock.advance(3_600_000);
    expect(await sweep()).toEqual(nothing);
  });

  it('leaves alone what has only just begun or ended', async () => {
    await admitted();
    const { traceId } = await admitted();
    clock.advance(59_000);
    expect(await sweep()).toEqual(nothing);
    await settle(database, clock, settlementOf(traceId));
    clock.advance(1_001);
    expect(await sweep()).toEqual({ ...nothing, expired: 1 });
  });

  it('leaves alone what belongs to another process', async () => {
    const other = await startProcess(database);
    await admitted({ processId: other.id });
    clock.advance(60_001);
    expect(await sweep()).toEqual(nothing);
  });

  it('finds what is behind more requests under way than fit in one page', async () => {
    const rich = await addSpender(database, '60');
    const terms = Array.from({ length: 510 }, () =>
      admissionOf(rich, { processId: process.id, slotsMax: 1_000 }),
    );
    await Promise.all(terms.map((each) => admit(database, clock, each)));
    const [stray, ...working] = terms
      .map(({ traceId }) => traceId)
      .sort()
      .reverse();
    for (const traceId of working) known.add(traceId);
    clock.advance(60_001);
    expect(await sweep()).toEqual({ ...nothing, expired: 1 });
    expect(await readHold(database, stray ?? '')).toMatchObject({ state: 'released' });
  });

  async function admitted(changes: Partial<Admission> = {}): Promise<Admission> {
    const terms = admissionOf(spender, { processId: process.id, ...changes });
    // Keys are issued at the time of a clock that stands still, as this one does.
    expect(await admit(database, clock, terms)).toEqual({ kind: 'admitted' });
    return terms;
  }
});
