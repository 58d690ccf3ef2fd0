/** What the page of models keeps in its address. */
import type { AdminModel } from '../../../../shared/console/admin-models.ts';
import { oneOf } from '../../../lib/search-state.ts';

export const modelStates = ['available', 'needs_price', 'not_selected', 'disabled'] as const;
export type ModelState = (typeof modelStates)[number];

export const modelsSearch = { state: oneOf(modelStates) };

/** As the server counts them: a model may want several things at once. */
export function isInState(model: AdminModel, state: ModelState | undefined): boolean {
  switch (state) {
    case undefined:
      return true;
    case 'available':
      return model.is_available;
    case 'needs_price':
      return model.price === null;
    case 'not_selected':
      return !model.is_served;
    case 'disabled':
      return !model.enabled;
  }
}
