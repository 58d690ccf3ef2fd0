import { invalidRequest } from '../../lib/service-error.ts';
import type { Admin } from '../admin-change.ts';

/** Keeps administrators from locking themselves out: another one can do it to them. */
export function refuseSelf({ actor }: Pick<Admin, 'actor'>, userId: string, param: string): void {
  if (actor !== userId) return;
  throw invalidRequest(param, 'You cannot take this from yourself: ask another administrator.');
}
