/**
 * What a service that almost speaks the OpenAI Images API does differently, as data. One record in
 * `dialects/`, one fixture in `fixtures/` and one line in `dialects.ts` make a new look-alike;
 * nothing else learns its name.
 */
import type { ImageFormat, ImageQuality, InputFidelity } from '../../../shared/image-options.ts';
import type { ErrorRules } from '../wire/faults.ts';
import type { MaskColour } from '../wire/mask.ts';

export interface Dialect extends Traits {
  /** The value of the setting `dialect`. */
  name: string;
  /** What people call the service. */
  title: string;
  auth: AuthStyle;
  /** Sent as the query parameter `api-version`, unless the settings name another; null for none. */
  apiVersion: string | null;
  /** The header that takes our trace ID, so that both sides' logs can be compared. */
  traceHeader: string | null;
  modelList: ModelList;
  /** Its error codes that the common rules do not know. */
  errors: ErrorRules;
  /** Members of a successful answer, or of a picture in it, that say the content was declined. */
  refusedWhen: readonly RefusalMark[];
  /** What of a prompt its engine takes as an order; global patterns without a space in them. */
  promptDirectives: readonly RegExp[];
  /** Whether it writes into its files how they were made, which is then taken out. */
  writesText: boolean;
  /** What single models do differently, told by their name; of several rules the last one wins. */
  models: readonly ModelRule[];
  presets: readonly [DialectPreset, ...DialectPreset[]];
}

/** What may differ between the models of one service. */
export interface Traits {
  /** Below the base URL; `{model}` stands for the upstream model. */
  generationPath: string;
  /** Whether the body names the upstream model. */
  sendsModel: boolean;
  edit: EditStyle | null;
  /** For edits with a mask, where these are something else. */
  maskedEdit: EditStyle | null;
  size: SizeStyle;
  quality: WordField<Exclude<ImageQuality, 'auto'>> | null;
  /** Without `transparent` among its words, it cannot make transparent pictures. */
  background: WordField<'transparent' | 'opaque'> | null;
  /** The formats it delivers, in its words; the field is null where nobody may choose. */
  format: { field: string | null; words: Words<ImageFormat> };
  /** The field for 0 to 100. */
  compression: string | null;
  /** Of edits only. */
  inputFidelity: WordField<InputFidelity> | null;
  /** The field for `low`; a JSON body only, as OpenAI's multipart edits have none. */
  moderation: string | null;
  /** The value of `response_format`; null where it must not or need not be sent. */
  responseFormat: string | null;
  /** `openai`: `stream` and `partial_images`. `ark`: `stream`, and events without partial images. */
  stream: 'openai' | 'ark' | 'none';
  /** Where a seed of ours goes, where pictures of one prompt would otherwise be the same. */
  seed: SeedPlace | null;
  /** Sent with every request. */
  constants: Readonly<Record<string, unknown>>;
}

export type AuthStyle = 'bearer' | 'api-key' | 'x-api-key' | 'none';

export type Words<V extends string> = Readonly<Partial<Record<V, string>>>;

/** A field, and the service's word for each value that it knows; `auto` is never sent. */
export interface WordField<V extends string> {
  field: string;
  words: Words<V>;
}

/** `auto` is what stands for no wish; null sends nothing. */
export type SizeStyle =
  | ({ as: 'pixels'; field: string; auto: string | null } & SizeLimits)
  | ({ as: 'width_height'; width: string; height: string } & SizeLimits)
  | { as: 'aspect_ratio'; field: string; auto: string | null; offers: Offers; tier: Tier | null }
  | { as: 'nothing' };

export interface SizeLimits {
  /** `1024x1024`: the only sizes there are. The nearest in proportions is taken. */
  offers?: Offers;
  /** Smaller sizes are scaled up to so many pixels. */
  pixelsMin?: number;
  /** Larger sizes are scaled down to so many pixels, and to sides so long. */
  pixelsMax?: number;
  sideMax?: number;
  /** Both sides are multiples of it. */
  step?: number;
}

export type Offers = readonly [string, ...string[]];

/** How many pixels each word of a field means, roughly. */
export interface Tier {
  field: string;
  pixels: readonly [readonly [string, number], ...(readonly [string, number])[]];
}

export interface EditStyle {
  /** Below the base URL; `{model}` stands for the upstream model. */
  path: string;
  body: MultipartBody | JsonBody;
  referenceImagesMax: number;
  /** What it can read; reference images in other formats are sent as PNG. */
  reads: readonly ImageFormat[];
  mask: MaskStyle | null;
  /** Where it differs from generations. */
  size?: SizeStyle;
}

export interface MultipartBody {
  as: 'multipart';
  /** The name of each reference image's part. */
  image: string;
}

export interface JsonBody {
  as: 'json';
  shape: PictureShape;
  one: PicturePlace;
  /** Null where there can be only one. */
  several: PicturePlace | null;
}

/**
 * `data_url` and `base64` are text; `url`, `image_url` and `part` objects with a data URL:
 * `{"url", "type": "image_url"}`, `{"image_url"}`, `{"type": "image_url", "image_url": {"url"}}`.
 */
export type PictureShape = 'data_url' | 'base64' | 'url' | 'image_url' | 'part';

/** `numbered`: `image`, `image2`, `image3`. */
export interface PicturePlace {
  field: string;
  in: 'value' | 'array' | 'numbered';
}

/** A field, or an order that the engine takes from the end of the prompt, with `{seed}` in it. */
export type SeedPlace = { field: string } | { behindPrompt: string };

export interface MaskStyle {
  field: string;
  /** Ours, or a greyscale picture with what is to be changed in this colour. */
  convention: 'alpha' | MaskColour;
}

export type ModelList =
  /** `names` leaves out models that make no pictures. `mayBeMissing`: then the named ones are all. */
  | { from: 'list'; path: string; names: RegExp | null; mayBeMissing?: true }
  /** The service has no list; `check` is a path that tells at no cost whether it answers us. */
  | { from: 'known'; models: Offers; check: string | null };

export interface RefusalMark {
  member: string;
  is: 'false' | 'present';
}

export interface ModelRule {
  name: RegExp;
  traits: Partial<Traits>;
}

export interface DialectPreset {
  title: string;
  baseUrl: string;
  /** The first as an example of what the service can do. */
  upstreamModels: readonly [string, ...string[]];
}

/** Only model, prompt and size are sent, and a PNG comes back: what every look-alike begins from. */
export const plain: Traits & Omit<Dialect, keyof Traits | 'name' | 'title' | 'presets'> = {
  auth: 'bearer',
  apiVersion: null,
  traceHeader: null,
  modelList: { from: 'list', path: '/models', names: null },
  errors: {},
  refusedWhen: [],
  promptDirectives: [],
  writesText: false,
  models: [],
  generationPath: '/images/generations',
  sendsModel: true,
  edit: null,
  maskedEdit: null,
  size: { as: 'pixels', field: 'size', auto: null },
  quality: null,
  background: null,
  format: { field: null, words: { png: 'png' } },
  compression: null,
  inputFidelity: null,
  moderation: null,
  responseFormat: null,
  stream: 'none',
  seed: null,
  constants: {},
};

/** What a model of this name does, the rules for single models applied. */
export function traitsOf(dialect: Dialect, modelName: string): Traits {
  return dialect.models
    .filter(({ name }) => name.test(modelName))
    .reduce<Traits>((traits, rule) => ({ ...traits, ...rule.traits }), dialect);
}
