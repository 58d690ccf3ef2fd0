/**
 * Pictures and masks under names that are not ours, by the habits of other services. Whoever sends one does not want a
 * result made without it, and would pay for that.
 */
import { invalidRequest } from '../../lib/service-error.ts';

const imageNames: readonly string[] = [
  'image',
  'image[]',
  'images[]',
  'image_url',
  'image_urls',
  'input_image',
  'input_images',
  'init_image',
  'reference_images',
];
const maskNames: readonly string[] = [
  'mask_url',
  'mask_image',
  'mask_image_url',
  'input_image_mask',
];
/** OpenAI's own, of what is drawn over the first reference image to say what to change. */
const overlayNames: readonly string[] = ['markup'];
const allNames: readonly string[] = [...imageNames, ...maskNames, ...overlayNames];

/** Of an edit in JSON. */
export function refuseForeignNames(body: Readonly<Record<string, unknown>>): void {
  const isNamed = (name: string) => (body[name] ?? null) !== null;
  const image = imageNames.find(isNamed);
  if (image !== undefined) {
    throw invalidRequest(image, 'In JSON, reference images are images: [{"image_url": "…"}].');
  }
  const mask = maskNames.find(isNamed);
  if (mask !== undefined) {
    throw invalidRequest(mask, 'In JSON, a mask is mask: {"image_url": "…"}.');
  }
  const overlay = overlayNames.find(isNamed);
  if (overlay !== undefined) {
    throw invalidRequest(overlay, `There is no ${overlay} here: draw it into the reference image.`);
  }
}

/** Of a form's part that is neither `image` nor `mask`; lists and objects are written there as `reference_images[0]`. */
export function isForeignName(name: string): boolean {
  const [start = ''] = name.split('[');
  return /^(?:image|mask)/.test(name) || allNames.includes(start);
}

/** Of a generation, which takes none at all. */
export function refusePictures(body: Readonly<Record<string, unknown>>): void {
  const given = [...allNames, 'images', 'mask'].find((name) => isGiven(body[name]));
  if (given === undefined) return;
  throw invalidRequest(given, 'A generation takes no pictures; POST /v1/images/edits does.');
}

function isGiven(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : (value ?? '') !== '';
}
