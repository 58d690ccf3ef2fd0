/**
 * Pictures and masks under names that are not ours, by the habits of other services; in JSON also by what they hold.
 * Whoever sends one does not want a result made without it, and would pay for that.
 */
import { editFieldsSchema } from '../../../shared/api/images.ts';
import { CutString } from '../../lib/bytes/json-cut.ts';
import { invalidRequest, type ServiceError } from '../../lib/service-error.ts';
import { paramFor } from './param.ts';

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

/** What our own schemas look at, in an edit or a generation. */
const ownNames: readonly string[] = [...Object.keys(editFieldsSchema.shape), 'images', 'mask'];

/** How data URLs of pictures begin, and a PNG, a JPEG and a WebP in base64. */
const pictureStart = /^(?:data:image\/|(?:data:[^,]*,)?(?:iVBORw0KGgo|\/9j\/|UklGR))/;
const startCharacters = 200;

/** Of an edit in JSON. */
export function refuseForeignNames(body: Readonly<Record<string, unknown>>): void {
  const isNamed = (name: string) => (body[name] ?? null) !== null;
  const image = imageNames.find(isNamed);
  if (image !== undefined) throw notCalled(image);
  const mask = maskNames.find(isNamed);
  if (mask !== undefined) throw notCalled(mask);
  const overlay = overlayNames.find(isNamed);
  if (overlay !== undefined) {
    throw invalidRequest(overlay, `There is no ${overlay} here: draw it into the reference image.`);
  }
  const other = nameOfPicture(body);
  if (other !== undefined) throw notCalled(other);
}

function notCalled(name: string): ServiceError {
  const rule = /mask/i.test(name)
    ? 'a mask is mask: {"image_url": "…"}.'
    : 'reference images are images: [{"image_url": "…"}].';
  return invalidRequest(paramFor(name), `In JSON, ${rule}`);
}

/** Of a form's part that is neither `image` nor `mask`; lists and objects are written there as `reference_images[0]`. */
export function isForeignName(name: string): boolean {
  const [start = ''] = name.split('[');
  return /^(?:image|mask)/.test(name) || allNames.includes(start);
}

export const noPictures = 'A generation takes no pictures; POST /v1/images/edits does.';

/** Of a generation, which takes none at all. */
export function refusePictures(body: Readonly<Record<string, unknown>>): void {
  const given = [...allNames, 'images', 'mask'].find((name) => isGiven(body[name]));
  const name = given ?? nameOfPicture(body);
  if (name === undefined) return;
  throw invalidRequest(paramFor(name), noPictures);
}

/** The name of a member that is none of ours and holds a picture, however deep in it. */
function nameOfPicture(body: Readonly<Record<string, unknown>>): string | undefined {
  const others = Object.entries(body).filter(([name]) => !ownNames.includes(name));
  return others.find(([, value]) => holdsPicture(value))?.[0];
}

/** The depth of a body is bounded, so this may recurse. */
function holdsPicture(value: unknown): boolean {
  if (typeof value === 'string') return pictureStart.test(value.slice(0, startCharacters));
  if (value instanceof CutString) {
    return pictureStart.test(value.bytes.toString('latin1', 0, startCharacters));
  }
  if (Array.isArray(value)) return value.some(holdsPicture);
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsPicture);
}

function isGiven(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : (value ?? '') !== '';
}
