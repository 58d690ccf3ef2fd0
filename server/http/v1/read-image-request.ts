import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import {
  editFieldsSchema,
  editRequestSchemaWith,
  generationRequestSchema,
} from '../../../shared/api/images.ts';
import {
  formParams,
  type GivenImage,
  type ImageRequest,
  isHere,
  type ReadRequest,
  type ReferenceImage,
  toEdit,
  toGeneration,
} from '../../images/image-request.ts';
import { CutString } from '../../lib/bytes/json-cut.ts';
import { KeptBytes } from '../../lib/bytes/kept-bytes.ts';
import type { FetchImage } from '../../lib/outgoing/safe-fetch.ts';
import { invalidRequest } from '../../lib/service-error.ts';
import { drain } from '../connections/drain.ts';
import { readEditForm } from './edit-form.ts';
import { refuseFileReferences } from './file-references.ts';
import { noPictures, refuseForeignNames, refusePictures } from './foreign-pictures.ts';
import { checkPicture, decodePictures, fetchPictures } from './input-images.ts';
import { readJsonObject } from './json-body.ts';
import { paramAt } from './param.ts';
import {
  type ContentType,
  contentTypeOf,
  refuseEncodedBody,
  whileConnected,
} from './request-body.ts';
import type { UploadMemory } from './upload-memory.ts';

export interface ReadDeps {
  fetchImage: FetchImage;
  /** For each picture that is given by an http(s) URL. */
  fetchTimeoutMs?: number;
  limits: BodyLimits;
  /** Told what the body names as its model, as soon as it could be read, whatever else is wrong. */
  onModel?: (name: string) => void;
  /** What this one request may hold; whoever gives it ends it. Without it there is no such limit. */
  memory?: UploadMemory;
}

export interface BodyLimits {
  /** The whole body of a generation, and the body of an edit in JSON without its pictures. */
  generationBytesMax: number;
  /** The whole body of an edit, and all its pictures together. */
  editBytesMax: number;
}

/**
 * Reads the body of `POST /v1/images/generations` from the raw message, which nobody has touched,
 * so that a caller is authenticated before any of its body is taken. Throws a ServiceError
 * (invalid_request_error) that names the first thing wrong; the message may then be incomplete,
 * and its connection must not be used again.
 */
export function readGeneration(message: IncomingMessage, deps: ReadDeps): Promise<ReadRequest> {
  return drainingOnError(message, async (contentType) => {
    if (contentType.mediaType !== 'application/json') {
      throw invalidRequest(null, 'The Content-Type must be application/json.');
    }
    const bytesMax = deps.limits.generationBytesMax;
    const body = await readJsonObject(message, contentType, {
      bytesMax,
      // With one in it, a body is mostly too long to be looked at.
      advice: noPictures,
      restBytesMax: bytesMax,
      memory: deps.memory,
    });
    noteModel(body, deps);
    refuseFileReferences(body);
    refusePictures(body);
    return allHere(toGeneration(parseFields(generationRequestSchema, body)));
  });
}

/** The same for `POST /v1/images/edits`. Pictures that it gives by links are not fetched yet. */
export function readEdit(message: IncomingMessage, deps: ReadDeps): Promise<ReadRequest> {
  return drainingOnError(message, async (contentType) => {
    switch (contentType.mediaType) {
      case 'application/json':
        return await readJsonEdit(message, contentType, deps);
      case 'multipart/form-data':
        return await readFormEdit(message, contentType, deps);
      default:
        throw invalidRequest(
          null,
          'The Content-Type must be multipart/form-data or application/json.',
        );
    }
  });
}

async function drainingOnError(
  message: IncomingMessage,
  read: (contentType: ContentType) => Promise<ReadRequest>,
): Promise<ReadRequest> {
  try {
    refuseEncodedBody(message);
    return await read(contentTypeOf(message));
  } catch (error) {
    drain(message);
    throw error;
  }
}

async function readJsonEdit(
  message: IncomingMessage,
  contentType: ContentType,
  deps: ReadDeps,
): Promise<ReadRequest> {
  const { limits, fetchImage, fetchTimeoutMs, memory } = deps;
  const { editBytesMax, generationBytesMax } = limits;
  const body = await readJsonObject(message, contentType, {
    bytesMax: editBytesMax,
    restBytesMax: generationBytesMax,
    memory,
  });
  const bodyBytes = memory?.bytes ?? 0;
  noteModel(body, deps);
  refuseFileReferences(body);
  refuseForeignNames(body);
  const { images, mask, ...fields } = parseFields(jsonEditSchema, body);
  const sources = images.map((entry, index) => ({
    param: `images[${index}].image_url`,
    url: entry.image_url,
  }));
  const maskParam = 'mask.image_url';
  if (mask) sources.push({ param: maskParam, url: mask.image_url });
  const options = { fetchImage, fetchTimeoutMs, memory, totalBytesMax: editBytesMax };
  const given = decodePictures(sources, options);
  // Nothing of the body itself is needed any more.
  memory?.drop();
  memory?.giveBack(bodyBytes);
  holdAll(given.filter(isHere), memory);
  const editOf = <Picture extends GivenImage>(pictures: readonly Picture[]) =>
    toEdit(fields, {
      referenceImages: pictures.slice(0, images.length),
      mask: pictures[images.length] ?? null,
      pictureParams: { images: 'images', mask: maskParam },
    });
  if (given.every(isHere)) return allHere(editOf(given));
  const fetchRest = async () => {
    const fetched = await whileConnected(message, (signal) =>
      fetchPictures(given, { ...options, signal }),
    );
    holdAll(
      fetched.filter(({ link }) => link !== undefined),
      memory,
    );
    return editOf(fetched);
  };
  return { request: editOf(given), fetchPictures: fetchRest };
}

function holdAll(pictures: readonly ReferenceImage[], memory: UploadMemory | undefined): void {
  for (const { bytes } of pictures) memory?.hold(KeptBytes.of(bytes));
}

async function readFormEdit(
  message: IncomingMessage,
  contentType: ContentType,
  deps: ReadDeps,
): Promise<ReadRequest> {
  const { limits, memory } = deps;
  const bytesMax = limits.editBytesMax;
  const form = await readEditForm(message, contentType, { bytesMax, memory });
  noteModel(form.fields, deps);
  const fields = parseFields(editFieldsSchema, form.fields);
  const edit = toEdit(fields, {
    referenceImages: form.images.map(({ bytes, param }) => checkPicture(bytes, { param, memory })),
    mask: form.mask && checkPicture(form.mask.bytes, { param: form.mask.param, memory }),
    pictureParams: formParams,
  });
  return allHere(edit);
}

function allHere(request: ImageRequest): ReadRequest {
  return { request, fetchPictures: null };
}

function noteModel({ model }: Readonly<Record<string, unknown>>, { onModel }: ReadDeps): void {
  if (typeof model === 'string') onModel?.(model);
}

const jsonEditSchema = editRequestSchemaWith(
  z.custom<string | CutString>((url) => typeof url === 'string' || url instanceof CutString, {
    error: 'image_url must be a base64 data URL or an http(s) URL.',
  }),
);

/** The fields, or a 400 for the first that is wrong. Its message never repeats what was sent. */
function parseFields<Fields>(schema: z.ZodType<Fields>, body: unknown): Fields {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalidRequest(issue ? paramAt(issue.path) : null, issue?.message ?? 'Invalid request.');
}
