import { z } from 'zod';
import { type ImageQuality, imageFormats, imageQualities } from '../../../shared/image-options.ts';
import { imageLimits } from '../../../shared/limits.ts';
import type { AuthStyle, Dialect, EditStyle, Traits } from './dialect.ts';
import { openaiEdit } from './dialects/openai.ts';
import { dialects } from './dialects.ts';

export const settingsLimits = {
  versionCharactersMax: 40,
  modelNamesMax: 500,
  modelNameCharactersMax: 200,
} as const;

const modelName = z.string().min(1).max(settingsLimits.modelNameCharactersMax);

const dialectNames = dialects.map(({ name }) => name);

export const settingsSchema = z.strictObject({
  dialect: z.enum(dialectNames).default('openai').meta({
    title: 'Service',
    description: 'Which service it is; `generic` for one that is not in the list.',
  }),
  apiVersion: z
    .string()
    .regex(/^[\w.-]+$/, 'must be a version such as 2025-04-01-preview')
    .max(settingsLimits.versionCharactersMax)
    .nullable()
    .default(null)
    .meta({
      title: 'API version',
      description: 'The query parameter `api-version`; empty for what the service has by default.',
    }),
  modelNames: z
    .record(modelName, modelName)
    .refine(
      (names) => Object.keys(names).length <= settingsLimits.modelNamesMax,
      `must have at most ${settingsLimits.modelNamesMax} entries`,
    )
    .default({})
    .meta({
      title: 'Known models',
      description:
        'For deployments and gateways with names of their own: which model stands behind an ' +
        'upstream model, such as `{"pictures": "gpt-image-2"}`. They join its model list.',
    }),
  keepPromptDirectives: z
    .boolean()
    .default(false)
    .meta({
      title: 'Keep directives in prompts',
      description:
        'Leave text in prompts that the engine takes as orders. Whoever sends a prompt may then ' +
        'set its steps and sizes.',
    }),
  stream: z
    .enum(['dialect', 'never', 'partials', 'always'])
    .default('dialect')
    .meta({
      title: 'Streaming',
      description:
        'When to ask for an event stream: as the service is known to, never, when partial images ' +
        'are wanted, or always (which shows sooner that the upstream is at work).',
    }),
  edit: z
    .enum(['dialect', 'none', 'multipart-list', 'multipart-repeated', 'json-images', 'json-image'])
    .default('dialect')
    .meta({
      title: 'Edits',
      description:
        'How reference images are sent: parts `image[]`, parts `image`, JSON `images` with ' +
        '`image_url` each, or JSON `image` in a generation.',
    }),
  mask: z.enum(['dialect', 'none', 'alpha', 'white', 'black']).default('dialect').meta({
    title: 'Masks',
    description: 'What marks the pixels to change: transparency, white or black.',
  }),
  referenceImagesMax: z
    .int()
    .min(1)
    .max(imageLimits.referenceImagesMax)
    .nullable()
    .default(null)
    .meta({
      title: 'Reference images',
      description: 'How many it takes; empty for what is known of the service.',
    }),
  formats: z.array(z.enum(imageFormats)).nullable().default(null).meta({
    title: 'Formats',
    description: 'The values of `output_format` it accepts; others are converted here.',
  }),
  qualities: z.array(z.enum(imageQualities)).nullable().default(null).meta({
    title: 'Qualities',
    description: 'The values of `quality` it accepts besides auto.',
  }),
  transparent: z.enum(['dialect', 'yes', 'no']).default('dialect').meta({
    title: 'Transparent pictures',
    description: 'Whether it takes a `background` of `transparent`.',
  }),
  responseFormat: z.enum(['dialect', 'never', 'b64_json', 'url']).default('dialect').meta({
    title: 'response_format',
    description: 'What to send in this field; whatever comes back is read.',
  }),
  auth: z.enum(['dialect', 'bearer', 'api-key', 'x-api-key', 'none']).default('dialect').meta({
    title: 'Credential header',
    description: '`Authorization: Bearer`, `api-key`, `x-api-key`, or none.',
  }),
});
export type Settings = z.infer<typeof settingsSchema>;

export function authOf(dialect: Dialect, settings: Settings): AuthStyle {
  return settings.auth === 'dialect' ? dialect.auth : settings.auth;
}

/** The traits as an administrator corrected them. */
export function tuned(traits: Traits, settings: Settings): Traits {
  const edit = withLimits(chosenEdit(traits, settings), settings);
  return {
    ...traits,
    edit,
    // A way of its own is as it is, unless edits or masks are said to be otherwise.
    maskedEdit:
      settings.edit === 'dialect' && settings.mask === 'dialect' ? traits.maskedEdit : null,
    stream: chosenStream(traits, settings),
    ...(settings.formats !== null && {
      format: { field: 'output_format', words: sameWords(settings.formats) },
    }),
    ...(settings.qualities !== null && {
      quality: { field: 'quality', words: sameWords(settings.qualities.filter(isWish)) },
    }),
    ...(settings.transparent !== 'dialect' && {
      background: {
        field: 'background',
        words: sameWords(settings.transparent === 'yes' ? ['transparent', 'opaque'] : []),
      },
    }),
    ...(settings.responseFormat !== 'dialect' && {
      responseFormat: settings.responseFormat === 'never' ? null : settings.responseFormat,
    }),
  };
}

function chosenStream(traits: Traits, { stream }: Settings): Traits['stream'] {
  if (stream === 'dialect') return traits.stream;
  if (stream === 'never') return 'none';
  return traits.stream === 'none' ? 'openai' : traits.stream;
}

function chosenEdit({ edit, generationPath }: Traits, settings: Settings): EditStyle | null {
  const usual = edit ?? openaiEdit();
  switch (settings.edit) {
    case 'dialect':
      return edit;
    case 'none':
      return null;
    case 'multipart-list':
      return { ...usual, body: { as: 'multipart', image: 'image[]' } };
    case 'multipart-repeated':
      return { ...usual, body: { as: 'multipart', image: 'image' } };
    case 'json-images': {
      const images = { field: 'images', in: 'array' } as const;
      return {
        ...usual,
        body: { as: 'json', shape: 'image_url', one: images, several: images },
      };
    }
    case 'json-image':
      return {
        ...usual,
        path: generationPath,
        mask: null,
        body: {
          as: 'json',
          shape: 'data_url',
          one: { field: 'image', in: 'value' },
          several: { field: 'image', in: 'array' },
        },
      };
  }
}

function withLimits(edit: EditStyle | null, settings: Settings): EditStyle | null {
  if (!edit) return null;
  return {
    ...edit,
    referenceImagesMax: settings.referenceImagesMax ?? edit.referenceImagesMax,
    mask: chosenMask(edit, settings),
  };
}

function chosenMask({ mask }: EditStyle, settings: Settings): EditStyle['mask'] {
  if (settings.mask === 'dialect') return mask;
  if (settings.mask === 'none') return null;
  return { field: mask?.field ?? 'mask', convention: settings.mask };
}

function isWish(quality: ImageQuality): quality is Exclude<ImageQuality, 'auto'> {
  return quality !== 'auto';
}

function sameWords(values: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(values.map((value) => [value, value]));
}
