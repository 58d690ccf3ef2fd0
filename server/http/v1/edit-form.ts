import type { IncomingMessage } from 'node:http';
import { editFieldsSchema } from '../../../shared/api/images.ts';
import { imageLimits } from '../../../shared/limits.ts';
import type { KeptBytes } from '../../lib/bytes/kept-bytes.ts';
import { sniffFormat } from '../../lib/pictures/sniff-format.ts';
import { invalidRequest } from '../../lib/service-error.ts';
import { refuseFileReferenceName } from './file-references.ts';
import { isForeignName } from './foreign-pictures.ts';
import { pictureTooLarge } from './input-images.ts';
import {
  type FormOptions,
  type FormPart,
  type PartHeader,
  type PartRule,
  readForm,
} from './multipart-body.ts';
import { paramFor } from './param.ts';
import type { ContentType } from './request-body.ts';

/** An edit as a form gives it: its fields as JSON would have them, and the files. */
export interface EditForm {
  fields: Readonly<Record<string, unknown>>;
  images: readonly FormPicture[];
  mask: FormPicture | null;
}

export interface FormPicture {
  param: string;
  bytes: KeptBytes;
}

const fieldNames: readonly string[] = Object.keys(editFieldsSchema.shape);
const integerFields = ['n', 'output_compression', 'partial_images'];
const booleanFields = ['stream'];
const requiredFields = ['model', 'prompt'];
/** Enough for the longest prompt, whose characters have up to four bytes. */
const fieldBytesMax = 4 * imageLimits.promptCharactersMax;

/** By these a picture is told from text. */
const signatureBytes = 12;

/** `image`, `image[]` and `image[2]`, which all mean the next picture. */
const imageName = /^image(?:\[\d*\])?$/;

/** Reads the form of an edit. Fields and files may come in any order. */
export async function readEditForm(
  message: IncomingMessage,
  contentType: ContentType,
  limits: Pick<FormOptions, 'bytesMax' | 'memory'>,
): Promise<EditForm> {
  const parts = await readForm(message, contentType, { ...limits, ruleFor: formRules() });
  const texts = parts.filter(({ name }) => fieldNames.includes(name));
  const pictures = parts.filter((part) => !isLeftOut(part));
  const masks = pictures.filter(({ name }) => name === 'mask');
  const [mask = null] = masks;
  if (masks.length > 1) throw invalidRequest('mask', 'mask was sent more than once.');
  return {
    fields: readFields(texts),
    images: pictures
      .filter(({ name }) => imageName.test(name))
      .map((part, index) => pictureOf(part, imageParam(index))),
    mask: mask && pictureOf(mask, 'mask'),
  };
}

/** Makes the rule for the parts of one form. */
function formRules(): (header: PartHeader) => PartRule {
  let imageCount = 0;
  return (header) => {
    const { name } = header;
    refuseFileReferenceName(name);
    if (fieldNames.includes(name)) {
      if (header.fileName !== null) throw invalidRequest(name, `${name} must be text, not a file.`);
      if (header.isRewritten) throw rewritten(name);
      const tooLarge = () => invalidRequest(name, `${name} is too long.`);
      return { kind: 'keep', bytesMax: fieldBytesMax, tooLarge };
    }
    const isMask = name === 'mask';
    if (isMask || imageName.test(name)) {
      const param = isMask ? 'mask' : imageParam(imageCount++);
      if (header.isRewritten) throw rewritten(param);
      const tooLarge = () => (isFile(header) ? pictureTooLarge(param) : notAFile(param));
      return { kind: 'keep', bytesMax: imageLimits.fileBytesMax, tooLarge };
    }
    if (isForeignName(name)) {
      const param = paramFor(name) ?? 'image';
      if (isFile(header)) throw notAFile(param);
      return emptyText(param);
    }
    if (header.fileName !== null && header.fileName !== '') {
      // A picture that is overlooked would make a result that nobody wanted to pay for.
      throw invalidRequest(null, 'Files are accepted as image, image[] and mask only.');
    }
    return { kind: 'skip' };
  };
}

/** Of text under a name that means a picture elsewhere: without any, it is how a form leaves the picture out. */
function emptyText(param: string): PartRule {
  return { kind: 'keep', bytesMax: 0, tooLarge: () => notAFile(param) };
}

/** What the picture that arrives as number `index` is called in errors: `image`, `image[1]`. */
function imageParam(index: number): string {
  return index === 0 ? 'image' : `image[${index}]`;
}

/** Some clients give a picture's type but no file name. */
function isFile({ fileName, mediaType }: PartHeader): boolean {
  return fileName !== null || (mediaType !== '' && !mediaType.startsWith('text/'));
}

/** What a browser sends for a file input that was left empty, and other clients for a picture that there is not. */
function isLeftOut(part: FormPart): boolean {
  return part.bytes.length === 0 && (part.fileName === '' || !isFile(part));
}

/** What the bytes say counts also here: OpenAI's SDKs for Java and Ruby declare those of a stream or string to be text. */
function pictureOf(part: FormPart, param: string): FormPicture {
  const { bytes } = part;
  const head = bytes.slice(0, Math.min(bytes.length, signatureBytes));
  if (isFile(part) || sniffFormat({ encoding: 'raw', bytes: head })) return { param, bytes };
  throw notAFile(param);
}

/** A field may say the same again, as async-openai does; of two values nobody knows which is meant. */
function readFields(parts: readonly FormPart[]): Record<string, unknown> {
  const fields = new Map<string, unknown>();
  for (const part of parts) {
    const { name } = part;
    const value = readField(part);
    if (fields.has(name) && fields.get(name) !== value) {
      throw invalidRequest(name, `${name} was sent more than once, with different values.`);
    }
    fields.set(name, value);
  }
  return Object.fromEntries(fields);
}

/**
 * The text of a field, as the number or boolean it stands for; other text is left to the schema. An
 * empty one is how a form leaves a field out: go-openai, httpx and blank inputs of a page write that.
 */
function readField({ name, bytes }: FormPart): unknown {
  const text = decodeText(name, bytes.whole());
  if (text === '' && !requiredFields.includes(name)) return undefined;
  if (integerFields.includes(name) && /^\d{1,9}$/.test(text)) return Number(text);
  if (booleanFields.includes(name)) {
    if (/^(?:true|1)$/i.test(text)) return true;
    if (/^(?:false|0)$/i.test(text)) return false;
  }
  return text;
}

function decodeText(name: string, bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw invalidRequest(name, `${name} must be valid UTF-8.`);
  }
}

/** Forms have done without such codings since RFC 7578; what is in one is neither the text nor the picture that was meant. */
function rewritten(name: string) {
  const rule = 'must be sent as it is, without a Content-Transfer-Encoding.';
  return invalidRequest(name, `${name} ${rule}`);
}

function notAFile(param: string) {
  return invalidRequest(
    param,
    'In a form, pictures are files named image, image[] or mask. ' +
      'To give them as URLs, send JSON with images[].image_url and mask.image_url.',
  );
}
