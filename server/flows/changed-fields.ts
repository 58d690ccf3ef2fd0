import { isDeepStrictEqual } from 'node:util';

type Fields = Readonly<Record<string, unknown>>;

/** The fields that an edit changed, each with its value before and after: what its audit entry tells. */
export function changedFields(
  before: Fields,
  after: Fields,
): Record<string, { from: unknown; to: unknown }> {
  const names = Object.keys(after).filter((name) => !isDeepStrictEqual(before[name], after[name]));
  return Object.fromEntries(names.map((name) => [name, { from: before[name], to: after[name] }]));
}
