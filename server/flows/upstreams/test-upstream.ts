/** The free test of an upstream: whether it answers, with each of its keys. */
import type { Upstream } from '../../catalog/upstream.ts';
import { requireUpstream } from '../../catalog/upstream-store.ts';
import type { Database } from '../../db/db.ts';
import type { Clock } from '../../lib/clock.ts';
import { OperatorError } from '../../lib/operator-error.ts';
import { type ListedModel, UpstreamError } from '../../upstreams/upstream.ts';
import type { AskedUpstream, UpstreamAccess } from './ask-upstream.ts';
import { withEachKey, withNamedKey } from './asked-key.ts';
import { fetchModelList } from './fetch-model-list.ts';
import { noteAnswer } from './note-answer.ts';
import { compareModelList, type ModelListChange } from './sync-upstream-models.ts';

/** How the model list came with one key. */
export interface KeyTest {
  key: string | null;
  tookMs: number;
  outcome: { list: readonly ListedModel[] } | { error: UpstreamError | OperatorError };
}

export interface UpstreamTest {
  upstream: Upstream;
  keys: readonly KeyTest[];
  /** How the list that came first differs from the kept one; null when none came. */
  change: ModelListChange | null;
}

export interface TestMeans {
  database: Database;
  clock: Clock;
  access: UpstreamAccess;
  signal?: AbortSignal;
}

/**
 * Asks for the model list with the key named, or with each that is enabled, and keeps nothing of it.
 *
 * @param ask does the asking with one key, for callers that show how long it takes
 */
export async function testUpstream(
  { database, clock, access, signal }: TestMeans,
  { upstream: idOrName, key }: { upstream: string; key: string | null },
  ask: (asked: AskedUpstream, test: () => Promise<KeyTest>) => Promise<KeyTest> = (_asked, test) =>
    test(),
): Promise<UpstreamTest> {
  const upstream = await requireUpstream(database, idOrName);
  const asked =
    key === null
      ? await withEachKey(database, upstream)
      : [await withNamedKey(database, upstream, key)];
  const means = { clock, ...(signal && { signal }) };
  const keys: KeyTest[] = [];
  for (const each of asked) keys.push(await ask(each, () => testKey(means, access, each)));
  if (key === null) await noteFirst({ database, clock }, upstream, keys);
  const lists = keys.flatMap(({ outcome }) => ('list' in outcome ? [outcome.list] : []));
  const change = lists[0] ? await compareModelList(database, upstream, lists[0]) : null;
  return { upstream, keys, change };
}

async function testKey(
  means: Pick<TestMeans, 'clock' | 'signal'>,
  access: UpstreamAccess,
  asked: AskedUpstream,
): Promise<KeyTest> {
  const { clock } = means;
  const key = asked.key?.name ?? null;
  const begun = clock.monotonic();
  const tookMs = () => Math.round(clock.monotonic() - begun);
  try {
    const list = await fetchModelList(means, access, asked);
    return { key, tookMs: tookMs(), outcome: { list } };
  } catch (error) {
    if (!(error instanceof UpstreamError || error instanceof OperatorError)) throw error;
    return { key, tookMs: tookMs(), outcome: { error } };
  }
}

/** The same as plain data, for programs. */
export function presentKeyTest({ key, tookMs, outcome }: KeyTest) {
  const error = 'error' in outcome ? outcome.error : null;
  const ofUpstream = error instanceof UpstreamError ? error : null;
  return {
    name: key,
    answers: error === null,
    took_ms: tookMs,
    models: 'list' in outcome ? outcome.list.length : null,
    fault: ofUpstream?.fault ?? null,
    status: ofUpstream?.status ?? null,
    message: error?.message ?? null,
  };
}

/** The service's own check uses the first key. */
async function noteFirst(
  { database, clock }: Pick<TestMeans, 'database' | 'clock'>,
  { id: upstreamId }: Upstream,
  [first]: readonly KeyTest[],
): Promise<void> {
  if (!first || !('list' in first.outcome)) return;
  const answer = { upstreamId, tookMs: first.tookMs, modelsListed: first.outcome.list.length };
  await database.transaction(async (trx) => {
    await requireUpstream(trx, upstreamId);
    await noteAnswer(trx, { ...answer, nowMs: clock.now() });
  });
}
