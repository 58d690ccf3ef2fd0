/** Runs one errand to its end: its tries, the pauses between them, and when to give up. */
import { setTimeout as sleep } from 'node:timers/promises';
import { send, type Try } from './client.ts';
import type { Fleet } from './fleet.ts';
import type { Errand, Manner } from './plan-errands.ts';
import { type Random, randomFrom } from './random.ts';

export interface World {
  fleet: Fleet;
  /** From then on nobody tries again. */
  isOver: () => boolean;
  /** A small PNG, for edits. */
  referenceImage: Buffer;
}

const model = 'gen-image-2.5-flare';
/** Connections that nobody took come on top: those wait until somebody does. */
const triesMax = { once: 1, sdk: 6, keyed: 14, twins: 14 } as const;
const pauseFirstMs = 120;
const pauseMostMs = 1_200;
const upPollMs = 50;

/** All tries of the errand, in the order they began. */
export async function runErrand(errand: Errand, apiKey: string, world: World): Promise<Try[]> {
  const tries: Try[] = [];
  const insist = (seed: number, manners: readonly Manner[]) =>
    tryAgainAndAgain({ errand, apiKey, world, manners, random: randomFrom(seed) }, tries);
  if (errand.policy === 'twins') {
    await Promise.all([insist(errand.seed, errand.manners), insist(errand.seed + 1, [])]);
  } else {
    await insist(errand.seed, errand.manners);
  }
  return tries;
}

interface Insistence {
  errand: Errand;
  apiKey: string;
  world: World;
  manners: readonly Manner[];
  random: Random;
}

async function tryAgainAndAgain(insistence: Insistence, tries: Try[]): Promise<void> {
  const { errand, apiKey, manners, random, world } = insistence;
  const body = Buffer.from(JSON.stringify(bodyOf(errand, world.referenceImage)));
  let refused = 0;
  for (let retries = 0; ; retries++) {
    const done = await send({
      server: world.fleet.next(),
      path: errand.operation === 'edit' ? '/v1/images/edits' : '/v1/images/generations',
      headers: headersOf(errand, apiKey, retries),
      body,
      manner: manners[retries] ?? { kind: 'stay' },
    });
    tries.push(done);
    if (done.end === 'refused') refused += 1;
    if (retries + 1 - refused >= triesMax[errand.policy] || !wantsAgain(errand, done)) return;
    if (world.isOver()) return;
    const pauseMs = Math.min(pauseMostMs, pauseFirstMs * 2 ** retries) * random.between(0.5, 1);
    // Nobody else to ask on a storm's only server: its advice is worth following, up to a point.
    await sleep(Math.max(pauseMs, Math.min(done.retryAfterMs ?? 0, pauseMostMs)));
    // Hundreds of clients at a closed door would only take the time that the server needs to start.
    while (done.end === 'refused' && !world.fleet.isUp && !world.isOver()) await sleep(upPollMs);
  }
}

function wantsAgain(
  { policy }: Errand,
  { held, end, status, errorCode, shouldRetry }: Try,
): boolean {
  if (held) return false;
  const isInsisting = policy === 'keyed' || policy === 'twins';
  // Official SDKs try again only as long as there are no headers, or by their status.
  if (status === null) return true;
  if (status === 200) return isInsisting;
  if (end !== 'answered') return isInsisting;
  return shouldRetry && errorCode !== 'insufficient_quota' && (status === 429 || status >= 500);
}

function headersOf({ number, policy }: Errand, apiKey: string, retries: number) {
  return {
    authorization: `Bearer ${apiKey}`,
    'content-type': 'application/json',
    ...(policy === 'sdk' && { 'x-stainless-retry-count': String(retries) }),
    ...((policy === 'keyed' || policy === 'twins') && { 'idempotency-key': `storm-${number}` }),
  };
}

function bodyOf(errand: Errand, referenceImage: Buffer): object {
  const { operation, prompt, stream, partialImages, n, responseFormat } = errand;
  const image = `data:image/png;base64,${referenceImage.toString('base64')}`;
  return {
    model,
    prompt,
    quality: 'low',
    response_format: responseFormat,
    n,
    ...(stream && { stream, partial_images: partialImages }),
    ...(operation === 'edit' && { images: [{ image_url: image }] }),
  };
}
