/** From what the controls are set to, to the request that is sent; and back. */
import type { ImageOrder, OrderFields } from '../../../../jobs/image-order.ts';
import type { Reference } from './draft-content.ts';
import { hasCompression, type Wanted } from './wanted.ts';

export interface OrderWish {
  model: string;
  prompt: string;
  /** As the model can do them. */
  values: Wanted;
  references: readonly Reference[];
}

export function orderOf({ model, prompt, values, references }: OrderWish): ImageOrder {
  return {
    operation: references.length === 0 ? 'generation' : 'edit',
    fields: fieldsOf({ model, prompt, values, hasReferences: references.length > 0 }),
    partialImages: values.previews,
    references: references.map(({ name, image }) => ({ name, image })),
    mask: references[0]?.mask?.png ?? null,
  };
}

/** Fields that equal the API's default are left out. */
function fieldsOf({
  model,
  prompt,
  values,
  hasReferences,
}: Omit<OrderWish, 'references'> & { hasReferences: boolean }): OrderFields {
  const { size, quality, format, compression, background, fidelity } = values;
  return {
    model,
    prompt,
    ...(size === 'auto' ? {} : { size }),
    ...(quality === 'auto' ? {} : { quality }),
    ...(format === 'png' ? {} : { output_format: format }),
    ...(hasCompression(format) ? { output_compression: compression } : {}),
    ...(background === 'auto' ? {} : { background }),
    ...(hasReferences && fidelity !== 'low' ? { input_fidelity: fidelity } : {}),
  };
}

/** Settings as text, without pictures: what "Copy settings" copies. */
export function settingsText({
  fields,
  partialImages,
}: Pick<ImageOrder, 'fields' | 'partialImages'>): string {
  return JSON.stringify({ ...fields, partial_images: partialImages }, null, 2);
}

export interface PastedSettings {
  prompt: string;
  model: string;
  fields: Readonly<Record<string, unknown>>;
}

/** Null for any other text. */
export function readSettingsText(text: string): PastedSettings | null {
  if (!text.trimStart().startsWith('{')) return null;
  try {
    const fields: unknown = JSON.parse(text);
    if (typeof fields !== 'object' || fields === null) return null;
    const { model, prompt } = fields as Record<string, unknown>;
    if (typeof model !== 'string' || typeof prompt !== 'string') return null;
    return { model, prompt, fields: fields as Record<string, unknown> };
  } catch {
    return null;
  }
}
