import type { Clock } from '../lib/clock.ts';
import type { BreakerState } from '../upstreams/breaker.ts';
import type { LaneState } from '../upstreams/lane-pool.ts';
import type { HoldTotals } from '../wallets/hold-totals-store.ts';
import { LabelNames } from './label-cache.ts';
import type { MetricRegistry, Sample } from './metric-registry.ts';
import { metricTable } from './metric-table.ts';
import { unitsOf } from './run-metrics.ts';

/** What there is to look at when somebody asks for the metrics. */
export interface State {
  version: string;
  clock: Clock;
  lanes: () => Promise<readonly LaneState[]>;
  running: () => number;
  runningMax: number;
  memory: () => MemoryState;
  isReady: () => Promise<boolean>;
  isLeaseCertain: () => boolean;
  /** How far this machine's clock is ahead of the database's; null where there is only one. */
  clockOffsetMs: () => number | null;
  readHolds: () => Promise<HoldTotals>;
  /** Of the disk that the database is on; null where that is not this machine's business. */
  readDiskFree: () => Promise<number | null>;
  /** Up to when the history has been pruned; null where it never was. */
  readPrunedUntilMs: () => Promise<number | null>;
}

/** The memory budget, in bytes, and how often it was full since the start. */
export interface MemoryState {
  held: number;
  budget: number;
  waiting: number;
  refusedUploads: number;
  refusedAnswers: number;
}

/** Answers of the database are shown for this long, however often somebody asks. */
export const holdsAgeMaxMs = 5_000;

export function showState(registry: MetricRegistry, state: State): void {
  const { version, runningMax } = state;
  registry.gauge(metricTable.build, () => [{ labels: { version }, value: 1 }]);
  registry.gauge(metricTable.running, () => [{ value: state.running() }]);
  registry.gauge(metricTable.runningMax, () => [{ value: runningMax }]);
  registry.gauge(metricTable.ready, async () => [{ value: (await state.isReady()) ? 1 : 0 }]);
  registry.gauge(metricTable.lease, () => [{ value: state.isLeaseCertain() ? 1 : 0 }]);
  registry.gauge(metricTable.diskFree, async () => sampleOf(await quietly(state.readDiskFree)));
  registry.gauge(metricTable.historyLag, async () => {
    const prunedUntilMs = await quietly(state.readPrunedUntilMs);
    return sampleOf(prunedUntilMs === null ? null : secondsSince(prunedUntilMs, state.clock));
  });
  registry.gauge(metricTable.clockOffset, () => {
    const offsetMs = state.clockOffsetMs();
    return sampleOf(offsetMs === null ? null : offsetMs / 1000);
  });
  showMemory(registry, state);
  showLanes(registry, state);
  showHolds(registry, state);
}

function showMemory(registry: MetricRegistry, { memory }: State): void {
  registry.gauge(metricTable.memoryHeld, () => [{ value: memory().held }]);
  registry.gauge(metricTable.memoryBudget, () => [{ value: memory().budget }]);
  registry.gauge(metricTable.memoryWaiting, () => [{ value: memory().waiting }]);
  registry.countedElsewhere(metricTable.memoryRefusals, () => {
    const { refusedUploads, refusedAnswers } = memory();
    return [
      { labels: { part: 'upload' }, value: refusedUploads },
      { labels: { part: 'answer' }, value: refusedAnswers },
    ];
  });
}

function secondsSince(ms: number, clock: Clock): number {
  return Math.max(0, clock.now() - ms) / 1000;
}

/** Missing, where it cannot be told. */
function sampleOf(value: number | null): readonly Sample[] {
  return value === null ? [] : [{ value }];
}

function quietly(read: () => Promise<number | null>): Promise<number | null> {
  return read().catch(() => null);
}

const breakerStates: readonly BreakerState[] = ['closed', 'open', 'half_open'];

function showLanes(registry: MetricRegistry, { lanes }: State): void {
  const names = new LabelNames();
  registry.gauge(metricTable.breaker, async () =>
    (await lanes()).flatMap(({ upstream, breaker }) =>
      breakerStates.map((state) => ({
        labels: { upstream: names.of(upstream), state },
        value: state === breaker ? 1 : 0,
      })),
    ),
  );
  registry.gauge(metricTable.calls, async () =>
    (await lanes()).flatMap(({ upstream, running, waiting }) => [
      { labels: { upstream: names.of(upstream), state: 'running' }, value: running },
      { labels: { upstream: names.of(upstream), state: 'waiting' }, value: waiting },
    ]),
  );
}

/** Missing, rather than old, where the database does not answer. */
function showHolds(registry: MetricRegistry, state: State): void {
  const read = keptForAWhile(state);
  const show = (samplesOf: (totals: HoldTotals) => readonly Sample[]) => async () => {
    const totals = await read();
    return totals === null ? [] : samplesOf(totals);
  };
  registry.gauge(
    metricTable.holds,
    show(({ open, undelivered }) => [
      { labels: { state: 'open' }, value: open },
      { labels: { state: 'undelivered' }, value: undelivered },
    ]),
  );
  registry.gauge(
    metricTable.heldMoney,
    show(({ held }) => [{ value: unitsOf(held) }]),
  );
  registry.gauge(
    metricTable.oldestHold,
    show(({ oldestAtMs }) => [
      { value: oldestAtMs === null ? 0 : secondsSince(oldestAtMs, state.clock) },
    ]),
  );
}

function keptForAWhile({ clock, readHolds }: State): () => Promise<HoldTotals | null> {
  let kept: Promise<HoldTotals | null> | null = null;
  let readAt = 0;
  return () => {
    const now = clock.monotonic();
    if (kept && now - readAt < holdsAgeMaxMs) return kept;
    readAt = now;
    kept = readHolds().catch(() => null);
    return kept;
  };
}
