import type { FieldChange } from '../../shared/console/field-change.ts';
import { invalidRequest } from './service-error.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * The fields with the changes made to them, one after the other; what no path leads to stays. To remove what
 * is not there is no mistake: somebody else may have done it. @param param what the fields are, in an error
 */
export function withChanges(
  fields: Fields,
  changes: readonly FieldChange[],
  param: string,
): Fields {
  let result = fields;
  for (const { path, value } of changes) result = changed(result, path, { value, param });
  return result;
}

function changed(
  fields: Fields,
  [first = '', ...rest]: readonly string[],
  { value, param }: { value: unknown; param: string },
): Fields {
  const { [first]: inner, ...others } = fields;
  if (rest.length === 0) return value === undefined ? others : { ...fields, [first]: value };
  const isThere = Object.hasOwn(fields, first);
  if (!isThere && value === undefined) return fields;
  if (isThere && !isObject(inner)) {
    throw invalidRequest(param, `${param}.${first} is no object: nothing in it can be changed.`);
  }
  return {
    ...fields,
    [first]: changed(isThere && isObject(inner) ? inner : {}, rest, { value, param }),
  };
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
