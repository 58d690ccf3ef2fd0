import { type Model, parseModelDescription } from '../../catalog/model.ts';
import {
  listModels,
  lockModel,
  requireModel,
  setModelPosition,
  updateModel,
} from '../../catalog/model-store.ts';
import type { Trx } from '../../db/db.ts';
import { invalidRequest } from '../../lib/service-error.ts';
import { type Admin, adminChange } from '../admin-change.ts';
import { changedFields } from '../changed-fields.ts';

/** What is not named stays as it is. */
export interface ModelPatch {
  description?: string | undefined;
  extendedQualities?: boolean | undefined;
  /** Its place in the list of models, from 0; beyond the end is the end. */
  position?: number | undefined;
}

/** Changes what is said of a model and where it stands. Its price and whether it is offered: apart. */
export function editModel(
  admin: Admin,
  { modelId, patch }: { modelId: string; patch: ModelPatch },
): Promise<Model> {
  const { position } = patch;
  if (position !== undefined && !(Number.isSafeInteger(position) && position >= 0)) {
    throw invalidRequest('position', 'A position must be a whole number from 0.');
  }
  const description =
    patch.description === undefined ? undefined : parseModelDescription(patch.description);
  return adminChange(admin, async (trx) => {
    const before = await lockModel(trx, modelId);
    const said = {
      description: description ?? before.description,
      extendedQualities: patch.extendedQualities ?? before.extendedQualities,
    };
    const changed = changedFields(presentSaid(before), presentSaid(said));
    if (Object.keys(changed).length > 0) await updateModel(trx, modelId, said);
    const moved = position === undefined ? null : await moveModel(trx, modelId, position);
    const detail = { ...changed, ...(moved && { position: moved }) };
    const result = await requireModel(trx, modelId);
    if (Object.keys(detail).length === 0) return { result, entry: null };
    return {
      result,
      entry: { action: 'model.edit', subject: modelId, detail, topic: 'catalog' },
    };
  });
}

/** What is said of a model, as its audit entry names it. */
function presentSaid({
  description,
  extendedQualities,
}: Pick<Model, 'description' | 'extendedQualities'>) {
  return { description, extended_qualities: extendedQualities };
}

/** Counts the positions anew, so that two models never share one. Null when it stands there already. */
async function moveModel(
  trx: Trx,
  modelId: string,
  wanted: number,
): Promise<{ from: number; to: number } | null> {
  const order = (await listModels(trx)).map(({ id }) => id);
  const from = order.indexOf(modelId);
  const to = Math.min(wanted, order.length - 1);
  if (from === to) return null;
  order.splice(from, 1);
  order.splice(to, 0, modelId);
  for (const [position, id] of order.entries()) await setModelPosition(trx, id, position);
  return { from, to };
}
