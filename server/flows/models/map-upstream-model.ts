import type { FieldChange } from '../../../shared/console/field-change.ts';
import { checkExtra } from '../../catalog/selection-extra.ts';
import {
  findSelection,
  insertSelection,
  updateSelectionOptions,
} from '../../catalog/selection-store.ts';
import {
  type Selection,
  type SelectionOptions,
  selectionOptionsDefault,
} from '../../catalog/upstream.ts';
import { lockUpstreams } from '../../catalog/upstream-store.ts';
import { withChanges } from '../../lib/field-changes.ts';
import { invalidRequest } from '../../lib/service-error.ts';
import { reservedFields } from '../../upstreams/upstream.ts';
import type { Admin } from '../admin-change.ts';
import {
  notSelected,
  refuseUnlisted,
  resolveSelection,
  type WantedSelection,
} from './select-upstream-model.ts';
import { changeServing, type ServingChange } from './serving-change.ts';

/** What is not named stays as it is. */
export interface MappingPatch {
  strictMask?: boolean;
  /** Forgets all fields before `extra` is added. */
  clearExtra?: boolean;
  /** Fields to add or to change. */
  extra?: SelectionOptions['extra'];
  /** In place of `extra`: made to the fields as they are by then. */
  extraChanges?: readonly FieldChange[];
  /** Refuses to select it. */
  onlyIfSelected?: boolean;
}

/** Says how an upstream model serves a model, and selects it if it was not. */
export function mapUpstreamModel(
  admin: Admin,
  wanted: WantedSelection,
  patch: MappingPatch,
): Promise<ServingChange<Selection>> {
  return changeServing(admin, async (trx, nowMs) => {
    const { key, upstream } = await resolveSelection(trx, wanted);
    // Two changes of one mapping at the same time must not undo each other.
    await lockUpstreams(trx, key.upstreamId);
    const before = await findSelection(trx, key);
    if (!before && patch.onlyIfSelected) throw notSelected(wanted, upstream);
    if (!before) await refuseUnlisted(trx, key, upstream);
    const options = patched(before?.options ?? selectionOptionsDefault, patch);
    checkExtra(options.extra, reservedFields);
    const selection = { ...key, options };
    if (JSON.stringify(before?.options) === JSON.stringify(options)) {
      return { result: selection, entry: null };
    }
    if (before) await updateSelectionOptions(trx, selection);
    else await insertSelection(trx, selection, nowMs);
    return {
      result: selection,
      entry: {
        action: 'model.map_upstream',
        subject: key.modelId,
        detail: {
          upstream,
          upstream_id: key.upstreamId,
          upstream_model: key.upstreamModel,
          strict_mask: options.strictMask,
          // Their values may be secrets.
          extra: Object.keys(options.extra),
        },
        topic: 'catalog',
      },
    };
  });
}

function patched(
  before: SelectionOptions,
  { strictMask = before.strictMask, clearExtra = false, extra = {}, extraChanges }: MappingPatch,
): SelectionOptions {
  if (extraChanges) {
    if (clearExtra) {
      throw invalidRequest('extra_changes', 'Give extra or extra_changes, not both.');
    }
    return { strictMask, extra: withChanges(before.extra, extraChanges, 'extra') };
  }
  return { strictMask, extra: clearExtra ? extra : { ...before.extra, ...extra } };
}
