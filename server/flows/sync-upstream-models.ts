import { isDeepStrictEqual } from 'node:util';
import { listUpstreamModels, markGone, markListed } from '../catalog/selection-store.ts';
import type { Upstream, UpstreamKey, UpstreamModel } from '../catalog/upstream.ts';
import { listUpstreamKeys } from '../catalog/upstream-key-store.ts';
import { findUpstream, requireUpstream } from '../catalog/upstream-store.ts';
import type { Db, Trx } from '../db/db.ts';
import { abortOf } from '../lib/abort.ts';
import { invalidRequest } from '../lib/service-error.ts';
import {
  type Adapter,
  type ListedModel,
  type UpstreamContext,
  UpstreamError,
} from '../upstreams/upstream.ts';
import type { Admin } from './admin-change.ts';
import { type AskedUpstream, askUpstream, type UpstreamAccess } from './ask-upstream.ts';
import { requireKey } from './change-upstream-keys.ts';
import { lockUpstream } from './lock-upstream.ts';
import { noteAnswer } from './note-answer.ts';
import { changeServing, type ServingChange } from './serving-change.ts';

/** How a freshly fetched model list differs from the one before. */
export interface ModelListChange {
  upstream: Upstream;
  /** Entries of the list now. */
  listed: number;
  /** On the list for the first time, or again. */
  added: readonly string[];
  /** No longer on it. Their selections rest until they come back. */
  gone: readonly string[];
}

const listedModelsMax = 5_000;
const modelNameCharactersMax = 200;
const descriptionCharactersMax = 500;

/** Fetches an upstream's model list into the catalog. @param upstream ID or name */
export async function syncUpstreamModels(
  admin: Admin,
  access: UpstreamAccess,
  upstream: string,
): Promise<ServingChange<ModelListChange>> {
  const asked = await requireUpstream(admin.database, upstream);
  const begun = admin.clock.monotonic();
  const reached = await withKey(admin.database, asked);
  const list = await fetchModelList(admin, access, reached);
  const tookMs = Math.round(admin.clock.monotonic() - begun);
  return changeServing(admin, async (trx, nowMs) => {
    // It may have been removed while it was being asked, or lead elsewhere now.
    const { upstream: now } = await lockUpstream(trx, asked.id);
    refuseOtherService(reached.upstream, now);
    const { id } = now;
    const { added, gone } = await writeModelList(trx, { upstreamId: id, list, nowMs });
    await noteAnswer(trx, { upstreamId: id, nowMs, tookMs, modelsListed: list.length });
    const result = { upstream: asked, listed: list.length, added, gone };
    if (added.length === 0 && gone.length === 0) return { result, entry: null };
    return {
      result,
      entry: {
        action: 'upstream.sync_models',
        subject: id,
        detail: { name: asked.name, added, gone },
        topic: 'catalog',
      },
    };
  });
}

/** A list of the service before would let what it names serve by the one that is configured now. */
function refuseOtherService(before: Upstream, now: Upstream): void {
  const isSame = before.baseUrl === now.baseUrl && isDeepStrictEqual(before.settings, now.settings);
  if (isSame) return;
  throw invalidRequest(
    null,
    `${now.name} was changed while it was asked for its model list: fetch it again.`,
    { command: `tintype upstreams sync ${now.name}` },
  );
}

/** The upstream with the first of its keys that is enabled. */
export async function withKey(db: Db, asked: Upstream): Promise<AskedUpstream> {
  const { upstream, keys } = await readWithKeys(db, asked);
  return { upstream, key: keys.find(({ enabled }) => enabled) ?? null };
}

/** The upstream with each of its keys that are enabled; without one where there is none. */
export async function withEachKey(db: Db, asked: Upstream): Promise<readonly AskedUpstream[]> {
  const { upstream, keys } = await readWithKeys(db, asked);
  const enabled = keys.filter((key) => key.enabled);
  return enabled.length === 0
    ? [{ upstream, key: null }]
    : enabled.map((key) => ({ upstream, key }));
}

/** The upstream with the key of that name, enabled or not. */
export async function withNamedKey(db: Db, asked: Upstream, name: string): Promise<AskedUpstream> {
  const { upstream, keys } = await readWithKeys(db, asked);
  return { upstream, key: requireKey({ upstream, keys }, name) };
}

/** Both as they were at one time: the credential of a new address must not go to the one before. */
async function readWithKeys(
  db: Db,
  asked: Upstream,
): Promise<{ upstream: Upstream; keys: readonly UpstreamKey[] }> {
  for (let upstream = asked; ; ) {
    const keys = await listUpstreamKeys(db, { upstreamId: upstream.id });
    const now = await findUpstream(db, upstream.id);
    if (!now || now.begunTimes === upstream.begunTimes) return { upstream, keys };
    upstream = now;
  }
}

/** What can be used of the list that the upstream gives, without keeping it: whether it answers is its health. */
export async function fetchModelList(
  { clock, signal }: Pick<Admin, 'clock'> & { signal?: AbortSignal },
  access: UpstreamAccess,
  asked: AskedUpstream,
): Promise<readonly ListedModel[]> {
  const list = await askUpstream(
    access,
    { ...asked, clock, ...(signal && { signal }) },
    listModels,
  );
  // Taken at its word, it would make every model that it serves unusable.
  if (list.length === 0) throw new UpstreamError('protocol', 'the model list is empty');
  if (list.length > listedModelsMax) {
    throw new UpstreamError('protocol', `the model list has over ${listedModelsMax} entries`);
  }
  const usable = usableEntries(list);
  if (usable.length > 0) return usable;
  throw new UpstreamError('protocol', 'the model list has no entry that can be used');
}

/** How a list that is not to be kept differs from the one that is. */
export async function compareModelList(
  db: Db,
  upstream: Upstream,
  list: readonly ListedModel[],
): Promise<ModelListChange> {
  const known = await listUpstreamModels(db, { upstreamId: upstream.id });
  return { upstream, listed: list.length, ...changeOf(known, list) };
}

async function listModels(
  adapter: Adapter,
  context: UpstreamContext,
): Promise<readonly ListedModel[]> {
  try {
    // An adapter that does not stop when it is told to must not hold up whoever asked.
    return await Promise.race([adapter.listModels(context), abortOf(context.signal)]);
  } catch (error) {
    // However the adapter puts it, the reason says why it was stopped.
    context.signal.throwIfAborted();
    throw error;
  }
}

/** Without what could not be shown or selected, nor be kept as it is. */
function usableEntries(list: readonly ListedModel[]): readonly ListedModel[] {
  const entries = new Map<string, ListedModel>();
  for (const { upstreamModel, description } of list) {
    if (upstreamModel === '' || upstreamModel.length > modelNameCharactersMax) continue;
    if (/\p{Cc}/u.test(upstreamModel) || !upstreamModel.isWellFormed()) continue;
    const shown = description?.replace(/\p{Cc}+/gu, ' ').slice(0, descriptionCharactersMax) ?? null;
    entries.set(upstreamModel, { upstreamModel, description: shown });
  }
  return [...entries.values()];
}

async function writeModelList(
  trx: Trx,
  { upstreamId, list, nowMs }: { upstreamId: string; list: readonly ListedModel[]; nowMs: number },
): Promise<Pick<ModelListChange, 'added' | 'gone'>> {
  const change = changeOf(await listUpstreamModels(trx, { upstreamId }), list);
  for (const entry of list) await markListed(trx, { ...entry, upstreamId, listedAt: nowMs });
  for (const upstreamModel of change.gone) {
    await markGone(trx, { upstreamId, upstreamModel, nowMs });
  }
  return change;
}

function changeOf(
  known: readonly UpstreamModel[],
  list: readonly ListedModel[],
): Pick<ModelListChange, 'added' | 'gone'> {
  const before = new Set(
    known.filter(({ goneAt }) => goneAt === null).map((model) => model.upstreamModel),
  );
  const now = new Set(list.map(({ upstreamModel }) => upstreamModel));
  return {
    added: [...now].filter((upstreamModel) => !before.has(upstreamModel)),
    gone: [...before].filter((upstreamModel) => !now.has(upstreamModel)),
  };
}
