import { isDeepStrictEqual } from 'node:util';
import { listUpstreamModels, markGone, markListed } from '../../catalog/selection-store.ts';
import type { Upstream, UpstreamModel } from '../../catalog/upstream.ts';
import { requireUpstream } from '../../catalog/upstream-store.ts';
import type { Db, Trx } from '../../db/db.ts';
import { invalidRequest } from '../../lib/service-error.ts';
import type { ListedModel } from '../../upstreams/upstream.ts';
import type { Admin } from '../admin-change.ts';
import { changeServing, type ServingChange } from '../models/serving-change.ts';
import type { UpstreamAccess } from './ask-upstream.ts';
import { withKey } from './asked-key.ts';
import { fetchModelList } from './fetch-model-list.ts';
import { lockUpstream } from './lock-upstream.ts';
import { noteAnswer } from './note-answer.ts';

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

/**
 * Fetches an upstream's model list into the catalog.
 *
 * @param upstream ID or name
 */
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

/** How a list that is not to be kept differs from the one that is. */
export async function compareModelList(
  db: Db,
  upstream: Upstream,
  list: readonly ListedModel[],
): Promise<ModelListChange> {
  const known = await listUpstreamModels(db, { upstreamId: upstream.id });
  return { upstream, listed: list.length, ...changeOf(known, list) };
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
