/** What each client of a storm wants, how it behaves, and how its picture goes wrong. */
import type { Random } from './random.ts';
import type { StormSize } from './storm-size.ts';

/** One thing that one client wants, with all its tries. */
export interface Errand {
  number: number;
  atMs: number;
  /** Index of the user who pays. */
  user: number;
  operation: 'generation' | 'edit';
  stream: boolean;
  partialImages: number;
  n: number;
  prompt: string;
  responseFormat: 'b64_json' | 'url';
  policy: Policy;
  /** What the client does in its first tries; in later ones it stays to the end. */
  manners: readonly Manner[];
  /** For the pauses between its tries. */
  seed: number;
}

/**
 * How a client deals with failure. `once` gives up. `sdk` sends again like an official SDK: only
 * what failed before its headers, counted in x-stainless-retry-count. `keyed` insists with one
 * Idempotency-Key. `twins` does so twice at the same time.
 */
export type Policy = 'once' | 'sdk' | 'keyed' | 'twins';

/** How a client takes one answer. All but `stay` and `slow` leave, each in another phase. */
export type Manner =
  | { kind: 'stay' }
  /** Reads the beginning of the answer and pauses before the rest. */
  | { kind: 'slow'; pauseMs: number }
  /** With half of the request's body sent. */
  | { kind: 'leave_sending' }
  /** While there is no answer yet, unless it comes sooner. */
  | { kind: 'leave_waiting'; afterMs: number }
  | { kind: 'leave_at_headers' }
  | { kind: 'leave_after_partial' }
  /** In the middle of the final picture. */
  | { kind: 'leave_in_body' };

export function planErrands(
  { requests, seconds }: Pick<StormSize, 'requests' | 'seconds'>,
  users: number,
  random: Random,
): Errand[] {
  const errands = Array.from({ length: requests }, (_, index) => {
    const errand = planErrand(index + 1, users, random);
    return { ...errand, atMs: Math.round(arrivalShare(random) * seconds * 1_000) };
  });
  return errands.sort((a, b) => a.atMs - b.atMs);
}

/** Most come evenly; some in crowds, as jobs do. */
function arrivalShare(random: Random): number {
  const share = random.next();
  return random.chance(0.3) ? Math.floor(share * 6) / 6 + random.between(0, 0.01) : share;
}

function planErrand(number: number, users: number, random: Random): Errand {
  const stream = random.chance(0.35);
  const partialImages = stream ? random.whole(0, 3) : 0;
  const policy = random.weighted<Policy>([
    [22, 'once'],
    [36, 'sdk'],
    [34, 'keyed'],
    [8, 'twins'],
  ]);
  const manners = planManners(policy, { stream, partialImages }, random);
  return {
    number,
    atMs: 0,
    user: random.whole(0, users - 1),
    operation: random.chance(0.25) ? 'edit' : 'generation',
    stream,
    partialImages,
    n: !stream && random.chance(0.2) ? random.whole(2, 3) : 1,
    prompt: planPrompt(number, { partialImages, manners }, random),
    responseFormat: random.chance(0.2) ? 'url' : 'b64_json',
    policy,
    manners,
    seed: random.whole(0, 2 ** 32 - 1),
  };
}

function planManners(
  policy: Policy,
  { stream, partialImages }: { stream: boolean; partialImages: number },
  random: Random,
): Manner[] {
  const manners: (readonly [number, () => Manner])[] = [
    [46, () => ({ kind: 'stay' })],
    [14, () => ({ kind: 'slow', pauseMs: random.whole(50, 700) })],
    [4, () => ({ kind: 'leave_sending' })],
    [14, () => ({ kind: 'leave_waiting', afterMs: random.whole(1, 900) })],
    [6, () => ({ kind: 'leave_at_headers' })],
    [8, () => ({ kind: 'leave_in_body' })],
    [stream && partialImages > 0 ? 20 : 0, () => ({ kind: 'leave_after_partial' })],
  ];
  const first = random.weighted(manners)();
  // Who insists may be unlucky more than once.
  const isUnlucky = policy !== 'once' && random.chance(0.25);
  return isUnlucky ? [first, random.weighted(manners)()] : [first];
}

/** Every errand has a seed of its own, so that a picture shows whose it is. */
function planPrompt(
  number: number,
  { partialImages, manners }: { partialImages: number; manners: readonly Manner[] },
  random: Random,
): string {
  const isLarge = manners.some(({ kind }) => kind === 'slow' || kind === 'leave_in_body');
  const directives = [
    `seed=${number}`,
    'actual=48x48',
    `delay=${random.weighted([
      [3, () => random.whole(0, 60)],
      [6, () => random.whole(60, 900)],
    ])()}ms`,
    // More than the sockets' buffers hold, so that there is a middle to leave in.
    ...(isLarge
      ? [
          `bytes=${random.weighted([
            [3, '300K'],
            [2, '4M'],
            [1, '7M'],
          ])}`,
        ]
      : []),
    ...random.weighted(misfortunes(partialImages)),
  ];
  return `storm-canary-${number} ${directives.map((text) => `[[${text}]]`).join(' ')}`;
}

function misfortunes(partialImages: number): readonly (readonly [number, readonly string[]])[] {
  return [
    [72, []],
    [6, ['fail=busy,retry_after=200ms', 'times=1']],
    [4, ['fail=unavailable', 'times=1']],
    [3, ['drop', 'times=1']],
    [3, ['fail=unavailable']],
    [3, ['fail=refused']],
    [2, ['fail=timeout']],
    [2, ['fail=quota']],
    [2, ['corrupt']],
    [2, ['truncate']],
    [1, ['text']],
    [1, ['stall']],
    [partialImages > 0 ? 4 : 0, ['drop@partial1']],
  ];
}
