import { requireModel } from '../../catalog/model-store.ts';
import {
  deleteSelection,
  findSelection,
  insertSelection,
  listUpstreamModels,
  type SelectionKey,
} from '../../catalog/selection-store.ts';
import { type Selection, selectionOptionsDefault } from '../../catalog/upstream.ts';
import { requireUpstream } from '../../catalog/upstream-store.ts';
import type { Db } from '../../db/db.ts';
import { nearest } from '../../lib/nearest.ts';
import { invalidRequest, type ServiceError } from '../../lib/service-error.ts';
import type { Admin } from '../admin-change.ts';
import { changeServing, type ServingChange } from './serving-change.ts';

export interface WantedSelection {
  modelId: string;
  /** ID or name. */
  upstream: string;
  upstreamModel: string;
}

/** Lets an entry of an upstream's model list serve a model. One that does already keeps its options. */
export function selectUpstreamModel(
  admin: Admin,
  wanted: WantedSelection,
): Promise<ServingChange<Selection>> {
  return changeServing(admin, async (trx, nowMs) => {
    const { key, upstream } = await resolveSelection(trx, wanted);
    await refuseUnlisted(trx, key, upstream);
    const selection = { ...key, options: selectionOptionsDefault };
    if (await insertSelection(trx, selection, nowMs)) {
      return { result: selection, entry: entryOf('model.select_upstream', key, upstream) };
    }
    return { result: (await findSelection(trx, key)) ?? selection, entry: null };
  });
}

/** Takes the permission back. */
export function unselectUpstreamModel(
  admin: Admin,
  wanted: WantedSelection,
): Promise<ServingChange<SelectionKey>> {
  return changeServing(admin, async (trx) => {
    const { key, upstream } = await resolveSelection(trx, wanted);
    if (!(await deleteSelection(trx, key))) {
      throw notSelected(wanted, upstream);
    }
    return { result: key, entry: entryOf('model.unselect_upstream', key, upstream) };
  });
}

export async function resolveSelection(
  db: Db,
  wanted: WantedSelection,
): Promise<{
  key: SelectionKey;
  /** Its name. */
  upstream: string;
}> {
  const { id: modelId } = await requireModel(db, wanted.modelId);
  const { id: upstreamId, name } = await requireUpstream(db, wanted.upstream);
  return { key: { modelId, upstreamId, upstreamModel: wanted.upstreamModel }, upstream: name };
}

export function notSelected(
  { modelId, upstreamModel }: WantedSelection,
  upstream: string,
): ServiceError {
  return invalidRequest(
    'upstream_model',
    `${upstreamModel} of ${upstream} is not selected for ${modelId}.`,
  );
}

/** Refuses what the upstream's model list does not name. */
export async function refuseUnlisted(
  db: Db,
  { upstreamId, upstreamModel }: Pick<SelectionKey, 'upstreamId' | 'upstreamModel'>,
  upstream: string,
): Promise<void> {
  const models = await listUpstreamModels(db, { upstreamId });
  const listed = models.filter(({ goneAt }) => goneAt === null).map((model) => model.upstreamModel);
  if (listed.includes(upstreamModel)) return;
  const guess = nearest(upstreamModel, listed);
  throw invalidRequest(
    'upstream_model',
    `${upstreamModel} is not on the model list of ${upstream}${guess === null ? '.' : `; did you mean ${guess}?`}`,
    guess === null
      ? {
          command: `see tintype upstreams models ${upstream}, or fetch it again: tintype upstreams sync ${upstream}`,
        }
      : {},
  );
}

function entryOf(
  action: string,
  { modelId, upstreamId, upstreamModel }: SelectionKey,
  upstream: string,
) {
  const detail = { upstream, upstream_id: upstreamId, upstream_model: upstreamModel };
  return { action, subject: modelId, detail, topic: 'catalog' as const };
}
