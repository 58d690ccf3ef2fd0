/**
 * What is asked of Tintype, as one table. All but a few are ratios to another gateway of the same
 * run, because absolute figures say more about the machine than about the program.
 *
 * The *floor* is what a release must keep: below it something is broken. The *goal* is where the
 * design ought to bring it: nginx, which bills nobody and looks at nothing, is the limit for what is
 * relayed, and the goals say how near to it a gateway that checks and charges every picture can
 * come.
 */
import type { EngineName } from '../../server/db/engine-name.ts';
import type { GatewayName } from './cases.ts';
import type {
  HeldResult,
  LatencyResult,
  LedgerResult,
  LoadResult,
  Result,
  StartResult,
} from './results.ts';

export interface Goal {
  measure: string;
  unit: string;
  better: 'lower' | 'higher';
  floor: number;
  goal: number;
  /** Null where a case or a gateway was left out. */
  of(results: Results): number | null;
}

export type Verdict = 'goal met' | 'floor met' | 'missed' | 'not measured';

/** Results by what they are of. */
export class Results {
  readonly all: readonly Result[];

  constructor(all: readonly Result[]) {
    this.all = all;
  }

  load(name: string, gateway: GatewayName): LoadResult | null {
    return this.#find(
      (result): result is LoadResult =>
        result.kind === 'load' && result.case === name && result.gateway === gateway,
    );
  }

  latency(name: string, gateway: GatewayName | 'direct'): LatencyResult | null {
    return this.#find(
      (result): result is LatencyResult =>
        result.kind === 'latency' && result.case === name && result.gateway === gateway,
    );
  }

  start(gateway: GatewayName): StartResult | null {
    return this.#find(
      (result): result is StartResult => result.kind === 'start' && result.gateway === gateway,
    );
  }

  ledger(engine: EngineName): LedgerResult | null {
    return this.#find(
      (result): result is LedgerResult => result.kind === 'ledger' && result.engine === engine,
    );
  }

  #find<R extends Result>(isIt: (result: Result) => result is R): R | null {
    return this.all.find(isIt) ?? null;
  }
}

const megabyte = 1_000_000;
const kilobyte = 1_000;
const heldFloor = 2_000;
const heldGoal = 8_000;

export const goals: readonly Goal[] = [
  atMost('s4m: CPU per GB', '× nginx', [2.5, 1.25], (results) => cpuToNginx(results, 's4m')),
  atMost('s1m: CPU per GB', '× nginx', [2, 1], (results) => cpuToNginx(results, 's1m')),
  atMost(
    's50k: CPU per request',
    'ms',
    [0.3, 0.2],
    (results) => results.load('s50k', 'sqlite')?.cpuMsPerRequest,
  ),
  atLeast('s50k: requests per CPU second', '× Portkey', [15, 25], (results) =>
    toPortkey(results, 's50k'),
  ),
  atLeast('s1m: requests per CPU second', '× Portkey', [20, 40], (results) =>
    toPortkey(results, 's1m'),
  ),
  atLeast('s4m: requests per CPU second', '× Portkey', [20, 45], (results) =>
    toPortkey(results, 's4m'),
  ),
  atLeast('sse4m: requests per second', '× nginx', [0.6, 1.5], (results) =>
    ratio(
      results.load('sse4m', 'sqlite')?.requestsPerSecond,
      results.load('sse4m', 'nginx')?.requestsPerSecond,
    ),
  ),
  atMost('s50k at 150/s: added p50', 'ms', [1.5, 0.8], (results) =>
    added(results, 'lat50k', 'p50Ms'),
  ),
  atMost('s50k at 150/s: added p99', 'ms', [8, 4], (results) => added(results, 'lat50k', 'p99Ms')),
  atMost('s4m at 5/s: added p50', 'ms', [6, 2], (results) => added(results, 'lat4m', 'p50Ms')),
  atMost('s4m at 5/s: added p99', 'ms', [25, 10], (results) => added(results, 'lat4m', 'p99Ms')),
  atMost('s4m, 16 callers: peak RSS', 'MB', [250, 140], (results) => peak(results, 's4m')),
  atMost('s16m, 16 callers: peak RSS', 'MB', [450, 320], (results) => peak(results, 's16m')),
  atMost('up4x5, multipart upstream: CPU per GB', '× nginx', [4, 2.5], (results) =>
    cpuToNginx(results, 'up4x5'),
  ),
  atMost('up4x5, base64 upstream: CPU per GB', '× nginx', [8, 4], (results) =>
    cpuToNginx(results, 'up4x5json'),
  ),
  atMost('up4x5, multipart upstream: peak RSS', 'MB', [500, 120], (results) =>
    peak(results, 'up4x5'),
  ),
  atLeast('requests in flight in one process', '', [heldFloor, heldGoal], heldAtOnce),
  atMost('RSS per request in flight', 'KB', [60, 25], memoryInFlight),
  atLeast(
    'admits with their settles, SQLite',
    '/s',
    [3_000, 5_000],
    (results) => results.ledger('sqlite')?.pairsPerSecond,
  ),
  atLeast(
    'admits with their settles, PostgreSQL',
    '/s',
    [1_500, 4_000],
    (results) => results.ledger('postgres')?.pairsPerSecond,
  ),
  atMost('CPU per GB, s64m to s1m', '×', [1.5, 1.1], (results) =>
    ratio(
      results.load('s64m', 'sqlite')?.cpuSecondsPerGigabyte,
      results.load('s1m', 'sqlite')?.cpuSecondsPerGigabyte,
    ),
  ),
  atMost('start until it listens', 's', [2, 0.8], (results) =>
    ratio(results.start('sqlite')?.startMs, 1_000),
  ),
  atMost('s1m: CPU per GB, PostgreSQL to SQLite', '×', [1.3, 1.15], (results) =>
    postgresToSqlite(results, 's1m'),
  ),
  atMost('s4m: CPU per GB, PostgreSQL to SQLite', '×', [1.3, 1.15], (results) =>
    postgresToSqlite(results, 's4m'),
  ),
];

export function judge(goal: Goal, value: number | null): Verdict {
  if (value === null) return 'not measured';
  const reaches = (mark: number) => (goal.better === 'lower' ? value <= mark : value >= mark);
  if (reaches(goal.goal)) return 'goal met';
  return reaches(goal.floor) ? 'floor met' : 'missed';
}

type Measured = (results: Results) => number | null | undefined;

function atMost(
  measure: string,
  unit: string,
  marks: [floor: number, goal: number],
  of: Measured,
): Goal {
  return row({ measure, unit, better: 'lower' }, marks, of);
}

function atLeast(
  measure: string,
  unit: string,
  marks: [floor: number, goal: number],
  of: Measured,
): Goal {
  return row({ measure, unit, better: 'higher' }, marks, of);
}

function row(
  named: Pick<Goal, 'measure' | 'unit' | 'better'>,
  [floor, goal]: [floor: number, goal: number],
  of: Measured,
): Goal {
  return { ...named, floor, goal, of: (results) => of(results) ?? null };
}

function ratio(value: number | undefined, other: number | undefined): number | null {
  return value === undefined || other === undefined || other === 0 ? null : value / other;
}

function cpuToNginx(results: Results, name: string): number | null {
  const [ours, limit] = [results.load(name, 'sqlite'), results.load(name, 'nginx')];
  return ratio(ours?.cpuSecondsPerGigabyte, limit?.cpuSecondsPerGigabyte);
}

function toPortkey(results: Results, name: string): number | null {
  const [ours, theirs] = [results.load(name, 'sqlite'), results.load(name, 'portkey')];
  return ratio(ours?.requestsPerCpuSecond, theirs?.requestsPerCpuSecond);
}

function postgresToSqlite(results: Results, name: string): number | null {
  const [postgres, sqlite] = [results.load(name, 'postgres'), results.load(name, 'sqlite')];
  return ratio(postgres?.cpuSecondsPerGigabyte, sqlite?.cpuSecondsPerGigabyte);
}

function added(results: Results, name: string, quantile: 'p50Ms' | 'p99Ms'): number | null {
  const [ours, limit] = [results.latency(name, 'sqlite'), results.latency(name, 'nginx')];
  return ours && limit && ours[quantile] - limit[quantile];
}

function peak(results: Results, name: string): number | null {
  return ratio(results.load(name, 'sqlite')?.peakBytes, megabyte);
}

/**
 * The most that were under way together, and all of them answered; once as many were tried as are
 * asked for.
 */
function heldAtOnce({ all }: Results): number | null {
  const held = all.flatMap((result) =>
    result.kind === 'held' && result.gateway === 'sqlite' ? [result] : [],
  );
  if (!held.some(({ requests }) => requests >= heldGoal)) return null;
  return Math.max(0, ...held.filter(isWhole).map(({ heldMax }) => heldMax));
}

function isWhole({ good, requests }: HeldResult): boolean {
  return good === requests;
}

/** At the largest number that was tried: there, what a process needs anyway counts least. */
function memoryInFlight({ all }: Results): number | null {
  const last = all.findLast(
    (result): result is HeldResult => result.kind === 'held' && result.gateway === 'sqlite',
  );
  return last && last.requests >= heldFloor ? last.bytesPerRequest / kilobyte : null;
}
