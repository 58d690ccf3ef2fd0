/**
 * The fields of a request with what the administrator adds, which has the last word except about
 * `kept`: the names of the fields that carry the model, the prompt and the pictures, whether this
 * request has them or not.
 */
export function withExtra(
  fields: Readonly<Record<string, unknown>>,
  { extra, kept }: { extra: Readonly<Record<string, unknown>>; kept: readonly string[] },
): Record<string, unknown> {
  const added = Object.entries(extra).filter(([name]) => !kept.includes(name));
  return { ...fields, ...Object.fromEntries(added) };
}
