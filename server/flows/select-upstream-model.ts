import { requireModel } from '../catalog/model-store.ts';
import {
  deleteSelection,
  insertSelection,
  listUpstreamModels,
} from '../catalog/selection-store.ts';
import { type Selection, selectionOptionsDefault } from '../catalog/upstream.ts';
import { requireUpstream } from '../catalog/upstream-store.ts';
import type { Db } from '../db/db.ts';
import { nearest } from '../lib/nearest.ts';
import { invalidRequest } from '../lib/service-error.ts';
import type { Admin } from './admin-change.ts';
import { changeServing, type ServingChange } from './serving-change.ts';

export interface WantedSelection {
  modelId: string;
  /** ID or name. */
  upstream: string;
  upstreamModel: string;
}

/** Lets an entry of an upstream's model list serve a model. */
export function selectUpstreamModel(
  admin: Admin,
  wanted: WantedSelection,
): Promise<ServingChange<Selection>> {
  return changeServing(admin, async (trx, nowMs) => {
    const selection = await resolveSelection(trx, wanted);
    await refuseUnlisted(trx, selection, wanted.upstream);
    const isNew = await insertSelection(trx, selection, nowMs);
    return { result: selection, entry: isNew ? entryOf('model.select_upstream', selection) : null };
  });
}

/** Takes the permission back. */
export function unselectUpstreamModel(
  admin: Admin,
  wanted: WantedSelection,
): Promise<ServingChange<Selection>> {
  return changeServing(admin, async (trx) => {
    const selection = await resolveSelection(trx, wanted);
    if (!(await deleteSelection(trx, selection))) {
      throw invalidRequest(
        'upstream_model',
        `${wanted.upstreamModel} of ${wanted.upstream} is not selected for ${wanted.modelId}.`,
      );
    }
    return { result: selection, entry: entryOf('model.unselect_upstream', selection) };
  });
}

async function resolveSelection(db: Db, wanted: WantedSelection): Promise<Selection> {
  const { id: modelId } = await requireModel(db, wanted.modelId);
  const { id: upstreamId } = await requireUpstream(db, wanted.upstream);
  const { upstreamModel } = wanted;
  return { modelId, upstreamId, upstreamModel, options: selectionOptionsDefault };
}

async function refuseUnlisted(db: Db, selection: Selection, upstream: string): Promise<void> {
  const { upstreamId, upstreamModel } = selection;
  const models = await listUpstreamModels(db, { upstreamId });
  const listed = models.filter(({ goneAt }) => goneAt === null).map((model) => model.upstreamModel);
  if (listed.includes(upstreamModel)) return;
  const guess = nearest(upstreamModel, listed);
  throw invalidRequest(
    'upstream_model',
    `${upstreamModel} is not on the model list of ${upstream}` +
      (guess === null ? ': fetch its list again.' : `; did you mean ${guess}?`),
  );
}

function entryOf(action: string, { modelId, upstreamId, upstreamModel }: Selection) {
  const detail = { upstream_id: upstreamId, upstream_model: upstreamModel };
  return { action, subject: modelId, detail, topic: 'catalog' as const };
}
