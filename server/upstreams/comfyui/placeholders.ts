/** `%prompt%` and its like in a workflow: looked for in the parsed inputs, never in JSON text. */
import { mapTexts } from './graph.ts';

/** Others between percent signs, such as `%date%`, are ComfyUI's own. */
const placeholder =
  /%(prompt|seed|width|height|steps|denoise|fidelity|mask|image_(?:0|[1-9][0-9]?))%/g;

/** A placeholder's name; a slot of the same meaning has the same. */
export type ValueName = string;

export function placeholdersIn(value: unknown): Set<ValueName> {
  const names = new Set<ValueName>();
  mapTexts(value, (text) => {
    for (const [, name] of text.matchAll(placeholder)) if (name !== undefined) names.add(name);
    return text;
  });
  return names;
}

/**
 * The value with its placeholders filled in, in one pass: what is filled in is not looked at again.
 * A placeholder that is the whole text becomes the value itself, so that a number stays one.
 */
export function fillPlaceholders(
  value: unknown,
  values: ReadonlyMap<ValueName, string | number>,
): unknown {
  return mapTexts(value, (text) => {
    const [whole] = text.matchAll(placeholder);
    const name = whole?.[0] === text ? whole[1] : undefined;
    if (name !== undefined) return values.get(name) ?? text;
    return text.replace(placeholder, (found, inner: string) => String(values.get(inner) ?? found));
  });
}
