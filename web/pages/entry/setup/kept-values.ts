/** What a form of the setup had, as a tab kept it: another version of the console may have kept something else. */

export function keepableText<V extends object>(from: V, values: Partial<V>): string {
  return JSON.stringify({ from: JSON.stringify(from), values });
}

/**
 * What is left as it begins is not among them: what makes no sense, and everything once the service has other values than
 * those with which the form began.
 *
 * @param from what the form begins with
 */
export function keptValuesIn<V extends object>(text: string | null, from: V): Partial<V> {
  const kept = valueIn(text);
  if (!isObject(kept) || kept['from'] !== JSON.stringify(from) || !isObject(kept['values'])) {
    return {};
  }
  const { values } = kept;
  const good = Object.entries(from).filter(
    ([name, sample]) => Object.hasOwn(values, name) && isLike(values[name], sample),
  );
  // Each is of the kind that the form has there.
  return Object.fromEntries(good.map(([name]) => [name, values[name]])) as Partial<V>;
}

function valueIn(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}

/** Of the same kind, with as many entries, through all levels. */
function isLike(value: unknown, sample: unknown): boolean {
  if (Array.isArray(sample)) {
    if (!Array.isArray(value) || value.length !== sample.length) return false;
    return sample.every((each, index) => isLike(value[index], each));
  }
  if (!isObject(sample)) return typeof value === typeof sample;
  return (
    isObject(value) && Object.entries(sample).every(([name, each]) => isLike(value[name], each))
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
