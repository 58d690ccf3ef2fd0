import { type Model, parseModelDescription, parseModelId } from '../../catalog/model.ts';
import { insertModel, requireModel } from '../../catalog/model-store.ts';
import { type Admin, adminChange } from '../admin-change.ts';

/** Adds a model; it becomes usable with a price, a selected upstream model, and when enabled. */
export async function addModel(
  admin: Admin,
  model: Pick<Model, 'id' | 'description' | 'extendedQualities'>,
): Promise<Model> {
  const id = parseModelId(model.id);
  const description = parseModelDescription(model.description);
  const { extendedQualities } = model;
  return adminChange(admin, async (trx, nowMs) => {
    await insertModel(trx, { id, description, extendedQualities, createdAt: nowMs });
    return {
      result: await requireModel(trx, id),
      entry: {
        action: 'model.add',
        subject: id,
        detail: { description, extended_qualities: extendedQualities },
        topic: 'catalog',
      },
    };
  });
}
