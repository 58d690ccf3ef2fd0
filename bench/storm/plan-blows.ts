/** When which server process is hit, and how. */
import type { Random } from './random.ts';
import type { StormSize } from './storm-size.ts';

/**
 * `kill`: SIGKILL, then a restart. `double`: the same, and again while the new process is starting
 * or sweeping. `freeze`: SIGSTOP for longer than the lease, then SIGCONT. `terminate`: SIGTERM, then
 * a restart when the process has ended.
 */
export type BlowKind = 'kill' | 'double' | 'freeze' | 'terminate';

export interface Blow {
  number: number;
  atMs: number;
  server: number;
  kind: BlowKind;
  /**
   * Waits for the head of a successful answer to reach a client and strikes this much later: between
   * charge, delivery and the note of it. Null strikes at once.
   */
  afterAnswerMs: number | null;
  /** From the restart to the second of a double kill. */
  againAfterMs: number;
}

const kinds = [
  [52, 'kill'],
  [20, 'double'],
  [14, 'freeze'],
  [14, 'terminate'],
] as const;

export function planBlows(
  { kills, seconds, servers }: Pick<StormSize, 'kills' | 'seconds' | 'servers'>,
  random: Random,
): Blow[] {
  // From when there is something to destroy until shortly before the last errands.
  const firstMs = 400;
  const stepMs = (seconds * 1_000 - firstMs) / Math.max(1, kills);
  return Array.from({ length: kills }, (_, index) => ({
    number: index + 1,
    atMs: Math.round(firstMs + stepMs * (index + random.next())),
    server: random.whole(0, servers - 1),
    // The first ones show every kind, however few there are.
    kind: kinds[index]?.[1] ?? random.weighted(kinds),
    afterAnswerMs: random.chance(0.5) ? random.weighted(pauses) : null,
    againAfterMs: Math.round(random.between(0, 900)),
  }));
}

const pauses = [
  [3, 0],
  [2, 2],
  [1, 8],
  [1, 25],
] as const;
