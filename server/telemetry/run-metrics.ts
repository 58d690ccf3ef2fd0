import { type Amount, formatAmount, subtractAmounts, zero } from '../../shared/money.ts';
import type { SweepResult } from '../flows/money/sweep-holds.ts';
import type { AttemptRecord } from '../flows/requests/attempts/attempt.ts';
import type { RunWatch } from '../flows/requests/runs/run-watch.ts';
import { LabelNames } from './label-cache.ts';
import type { MetricRegistry, Sample } from './metric-registry.ts';
import { metricTable } from './metric-table.ts';

/** Counts what image requests did: their holds, their attempts, their money. */
export function watchRuns(registry: MetricRegistry): RunWatch {
  const admissions = registry.counter(metricTable.admissions);
  const admitDuration = registry.histogram(metricTable.admitDuration);
  const settleDuration = registry.histogram(metricTable.settleDuration);
  const pictures = registry.counter(metricTable.pictures);
  const watchAttempt = watchAttempts(registry);
  const money = new MovedMoney();
  registry.countedElsewhere(metricTable.money, () => money.samples());
  const models = new LabelNames();
  return {
    onAdmit: ({ outcome, amount, begunAtMs, endedAtMs }) => {
      admissions([outcome]);
      admitDuration([], secondsBetween(begunAtMs, endedAtMs));
      if (outcome === 'admitted') money.add('hold', amount);
    },
    onAttempts: ({ attempts }) => {
      for (const record of attempts) watchAttempt(record);
    },
    onEnd: ({ note, amount, charged }) => {
      const cost = charged?.cost ?? zero;
      money.add('release', subtractAmounts(amount, cost));
      if (!charged) return;
      money.add('charge', cost);
      settleDuration([], secondsBetween(note.madeAtMs ?? 0, note.endedAtMs ?? 0));
      pictures([models.of(note.model), note.operation ?? 'other'], charged.pictures);
    },
    onRefund: ({ cost }) => money.add('refund', cost),
  };
}

function watchAttempts(registry: MetricRegistry): (record: AttemptRecord) => void {
  const attempts = registry.counter(metricTable.attempts);
  const duration = registry.histogram(metricTable.attemptDuration);
  const possiblyCharged = registry.counter(metricTable.possiblyCharged);
  const skips = registry.counter(metricTable.skips);
  const names = new LabelNames();
  return (record) => {
    const upstream = names.of(record.upstream);
    if (record.skipped !== null) {
      skips([upstream, record.skipped]);
      return;
    }
    attempts([upstream, record.fault ?? 'none']);
    duration([upstream], record.duration_ms / 1000);
    if (record.possibly_charged) possiblyCharged([upstream]);
  };
}

/** Told of each sweep, whatever it found. */
export function watchSweeps(registry: MetricRegistry): (result: SweepResult) => void {
  const swept = registry.counter(metricTable.swept);
  return ({ expired, refunded, stuck }) => {
    swept(['expired'], expired);
    swept(['refunded'], refunded);
    swept(['stuck'], stuck.length);
  };
}

/**
 * Sums in whole micros: a float would drift from the books, and what a process moves in its life may be more than an
 * amount can be.
 */
class MovedMoney {
  readonly #moved = new Map<string, bigint>();

  add(movement: string, amount: Amount): void {
    this.#moved.set(movement, (this.#moved.get(movement) ?? 0n) + BigInt(amount));
  }

  samples(): readonly Sample[] {
    return [...this.#moved].map(([movement, micros]) => ({
      labels: { movement },
      value: Number(`${micros}e-6`),
    }));
  }
}

/** Units of the currency, as Prometheus wants numbers. */
export function unitsOf(amount: Amount): number {
  return Number(formatAmount(amount));
}

function secondsBetween(fromMs: number, toMs: number): number {
  return Math.max(0, toMs - fromMs) / 1000;
}
