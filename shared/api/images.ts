/**
 * The fields of an image request, its answer and its stream, as JSON. They check requests and
 * describe the API in its OpenAPI document. Rules that need several fields stand in
 * `server/images/image-request.ts`; fields that are not named here are ignored.
 */
import { z } from 'zod';
import { errorCodes } from '../error-codes.ts';
import {
  imageBackgrounds,
  imageFormats,
  imageQualities,
  imageSizes,
  inputFidelities,
  moderations,
  responseFormats,
} from '../image-options.ts';
import { imageLimits } from '../limits.ts';

const { promptCharactersMax, picturesMax, partialImagesMax, referenceImagesMax } = imageLimits;
const modelCharactersMax = 200;
const printablePattern = /^[\x20-\x7e]+$/;
const promptRule = `prompt must be text of 1 to ${promptCharactersMax} characters.`;

const commonFields = {
  model: text('model')
    .refine((model) => model.length <= modelCharactersMax && printablePattern.test(model), {
      error: `model must be the ID of a model: 1 to ${modelCharactersMax} printable characters.`,
    })
    .meta({
      description: 'ID of an enabled model; GET /v1/models lists them.',
      minLength: 1,
      maxLength: modelCharactersMax,
    }),
  prompt: text('prompt')
    .refine((prompt) => prompt.trim() !== '', { error: `${promptRule} It is blank.`, abort: true })
    .refine((prompt) => countCodePoints(prompt) <= promptCharactersMax, {
      error: `${promptRule} It is longer.`,
      abort: true,
    })
    .refine((prompt) => prompt.isWellFormed() && !prompt.includes('\0'), {
      error: 'prompt must be well-formed Unicode without NUL characters.',
    })
    .meta({
      description: 'What to draw, or how to change the reference images. Counted in code points.',
      minLength: 1,
      maxLength: promptCharactersMax,
    }),
  n: optional(
    integer('n', 1, picturesMax),
    1,
    'How many pictures to make. Each one that is delivered is charged.',
  ),
  size: optional(oneOf('size', imageSizes), 'auto', 'Width × height in pixels.'),
  quality: optional(
    oneOf('quality', [...imageQualities, 'standard']),
    'auto',
    '`xhigh` and `max` need a model that has them. `standard` is read as `auto`.',
  ),
  response_format: optional(
    oneOf('response_format', responseFormats),
    'b64_json',
    '`url` answers with a data URL, never with a link.',
  ),
  output_format: optional(oneOf('output_format', imageFormats), 'png', 'File format.'),
  background: optional(
    oneOf('background', imageBackgrounds),
    'auto',
    '`transparent` needs `png` or `webp`.',
  ),
  output_compression: optional(
    integer('output_compression', 0, 100),
    null,
    'Compression of `jpeg` and `webp`, 0 to 100. No effect on `png`.',
  ),
  moderation: optional(oneOf('moderation', moderations), null, 'Passed through to the upstream.'),
  stream: optional(
    z.boolean({ error: 'stream must be true or false.' }),
    false,
    'Whether the answer is a stream of server-sent events. Needs `n` of 1.',
  ),
  partial_images: optional(
    integer('partial_images', 0, partialImagesMax),
    0,
    'How many intermediate pictures a stream shows at most.',
  ),
};

/** The JSON body of `POST /v1/images/generations`. */
export const generationRequestSchema = z.object(commonFields);

/** What an edit has besides pictures, the same in both of its body formats. */
export const editFieldsSchema = z.object({
  ...commonFields,
  input_fidelity: optional(
    oneOf('input_fidelity', inputFidelities),
    null,
    'How closely to keep to the reference images. Passed through to the upstream.',
  ),
});

const imageUrlSchema = z
  .string({ error: 'image_url must be a base64 data URL or an http(s) URL.' })
  .describe('A base64 data URL, or an http(s) URL that anyone can read.');

/** The JSON body of `POST /v1/images/edits`. */
export const editRequestSchema = editRequestSchemaWith(imageUrlSchema);

/** The same with another idea of an `image_url`, for a reader that keeps long ones as bytes. */
export function editRequestSchemaWith<Url extends z.ZodType>(imageUrl: Url) {
  const countRule = `images must be a list of 1 to ${referenceImagesMax} objects with image_url.`;
  const entryRule = 'Each entry of images must be an object with image_url.';
  const maskRule = 'mask must be an object with image_url and nothing else.';
  return editFieldsSchema.extend({
    images: z
      .array(z.object({ image_url: imageUrl }, { error: entryRule }), { error: countRule })
      .min(1, { error: countRule })
      .max(referenceImagesMax, { error: countRule })
      .describe('Reference images. A mask applies to the first.'),
    mask: z
      .strictObject({ image_url: imageUrl, file_id: z.null().optional() }, { error: maskRule })
      .nullish()
      .describe('A PNG of the first image’s size; its fully transparent pixels are changed.'),
  });
}

export type GenerationFields = z.infer<typeof generationRequestSchema>;
export type EditFields = z.infer<typeof editFieldsSchema>;

const usageSchema = z
  .object({
    images: count().describe('Pictures billed.'),
    input_tokens: count(),
    output_tokens: count(),
    total_tokens: count(),
    input_tokens_details: z.object({ text_tokens: count(), image_tokens: count() }),
  })
  .describe('Token counts are the upstream’s; 0 where it gives none.');

const createdField = count().describe('Unix seconds.');
const base64Field = z.string().describe('The picture in base64.');
const dataUrlField = z
  .string()
  .describe('The picture as a data URL; present when `response_format` is `url`.');

/** What was really used, which may lie outside the values of a request. */
const usedFields = {
  size: z.string().describe('Size used.'),
  quality: z.string().describe('Quality used.'),
  output_format: z.enum(imageFormats).describe('File format used.'),
  background: z.string().describe('Background used.'),
};

export const imagesResponseSchema = z.object({
  created: createdField,
  data: z.array(
    z.object({
      b64_json: base64Field.optional(),
      url: dataUrlField.optional(),
      revised_prompt: z
        .string()
        .optional()
        .describe('The prompt as the upstream rewrote it; yours where it does not say.'),
    }),
  ),
  ...usedFields,
  background: z.string().optional().describe('Background used, where it is known.'),
  usage: usageSchema,
});

export type ImagesResponse = z.infer<typeof imagesResponseSchema>;

const eventFields = {
  b64_json: base64Field,
  url: dataUrlField.optional(),
  created_at: createdField,
  ...usedFields,
};

const asked = 'As asked for, which may be `auto`.';

/** What is really used becomes known with the picture. */
const partialImageFields = {
  ...eventFields,
  size: z.string().describe(asked),
  quality: z.string().describe(asked),
  background: z.string().describe(asked),
  partial_image_index: count().describe('Counts from 0.'),
};
const completedFields = {
  ...eventFields,
  usage: usageSchema,
  tintype: z
    .object({
      cost: z.string().describe('Decimal.'),
      balance: z.string().describe('Decimal.'),
      currency: z.string(),
    })
    .describe('What a plain answer says in its `x-tintype-` headers.'),
};

const errorEventSchema = z.object({
  type: z.literal('error'),
  error: z.object({
    message: z.string(),
    type: z.string(),
    param: z.string().nullable(),
    code: z.enum(errorCodes),
    trace_id: z.string(),
  }),
});

export const generationEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('image_generation.partial_image'), ...partialImageFields }),
  z.object({ type: z.literal('image_generation.completed'), ...completedFields }),
  errorEventSchema,
]);

export const editEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('image_edit.partial_image'), ...partialImageFields }),
  z.object({ type: z.literal('image_edit.completed'), ...completedFields }),
  errorEventSchema,
]);

function count() {
  return z.int().min(0);
}

function text(name: string) {
  return z.string({
    error: ({ input }) =>
      input === undefined || input === null ? `${name} is required.` : `${name} must be text.`,
  });
}

function oneOf<const Value extends string>(name: string, values: readonly Value[]) {
  return z.enum(values, { error: `${name} must be one of: ${values.join(', ')}.` });
}

function integer(name: string, min: number, max: number) {
  const error = `${name} must be a whole number from ${min} to ${max}.`;
  return z.int({ error }).min(min, { error }).max(max, { error });
}

/** A field that may be absent, or null, which means the same. */
function optional<Schema extends z.ZodType, Fallback extends z.output<Schema> | null>(
  schema: Schema,
  fallback: Fallback,
  description: string,
) {
  // Said of the input: a default behind the transformation would be left out of the document.
  const accepted = schema
    .nullish()
    .meta(fallback === null ? { description } : { description, default: fallback });
  return accepted.transform((value) => value ?? fallback);
}

/** Counting stops where it no longer matters. */
function countCodePoints(value: string): number {
  if (value.length > 2 * promptCharactersMax) return value.length;
  return Array.from(value).length;
}
