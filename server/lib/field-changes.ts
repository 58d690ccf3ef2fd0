import type { FieldChange } from '../../shared/console/field-change.ts';
import { invalidRequest } from './service-error.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * A copy of the fields with the changes made to it, one after the other; whatever no path names stays as it is. To
 * remove a field that is not there is no mistake: somebody else may have removed it before.
 *
 * @param param what errors call the fields
 */
export function withChanges(
  fields: Fields,
  changes: readonly FieldChange[],
  param: string,
): Fields {
  // Copied once: a body has room for thousands of changes.
  const result: Record<string, unknown> = structuredClone(fields);
  for (const { path, value } of changes) change(result, path, { value, param });
  return result;
}

/** Makes one change in place. */
function change(
  fields: Record<string, unknown>,
  [first = '', ...rest]: readonly string[],
  { value, param }: { value: unknown; param: string },
): void {
  if (rest.length === 0) {
    if (value === undefined) Reflect.deleteProperty(fields, first);
    else setOwn(fields, first, structuredClone(value));
    return;
  }
  const isThere = Object.hasOwn(fields, first);
  if (!isThere && value === undefined) return;
  if (!isThere) setOwn(fields, first, {});
  const inner = fields[first];
  if (!isObject(inner)) {
    throw invalidRequest(param, `${param}.${first} is no object: nothing in it can be changed.`);
  }
  change(inner, rest, { value, param });
}

/** Also where the name means something else to objects, as `__proto__` does. */
function setOwn(fields: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(fields, name, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
