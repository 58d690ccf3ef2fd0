/** Of our models, the one that an upstream's entry most likely is meant for. */
export function guessModel(entry: string, models: readonly string[]): string {
  const parts = partsOf(entry);
  const [best] = models
    .map((model) => ({
      model,
      shared: partsOf(model).filter((part) => parts.includes(part)).length,
    }))
    .toSorted((one, other) => other.shared - one.shared);
  return best?.model ?? '';
}

function partsOf(name: string): readonly string[] {
  return name.toLowerCase().split(/[^a-z0-9.]+/);
}
