/**
 * The engines that speak AUTOMATIC1111's API, and what each of them makes of it. A further engine
 * is a further record.
 */

export const flavourNames = [
  'a1111',
  'forge',
  'sdnext',
  'draw-things',
  'koboldcpp',
  'sd-server',
] as const;
export type FlavourName = (typeof flavourNames)[number];

export interface Flavour {
  title: string;
  /** Where it listens when nobody has changed it. */
  baseUrl: string;
  /** An upstream model to show in an example. */
  exampleModel: string;
  /**
   * Whether a job may be given a task ID (`force_task_id`), by which `/internal/progress` then tells
   * of it alone. Without one nobody can say whose job is running, so there are no previews, and no
   * job is interrupted.
   */
  hasTasks: boolean;
  /** Whether `/sdapi/v1/sd-models` exists. */
  hasModelList: boolean;
  /** Whether a job may name its model. The others draw with the one that is loaded. */
  choosesModel: boolean;
  /** Whether its answer says by the name of a file which model drew. */
  saysModel: boolean;
  hasMask: boolean;
  /** Sides of a picture are multiples of this. */
  sidePixelsStep: 8 | 64;
  /** Whether a reference image may be a WebP; else it is handed over as a PNG. */
  readsWebp: boolean;
  /** What it calls these fields. */
  fields: { cfgScale: string; sampler: string; denoising: string };
  /** Where the layers of the text encoder to skip are said. */
  clipSkip: 'override_settings' | 'clip_skip';
  /** Fields that are the same for every job. */
  constant: Readonly<Record<string, unknown>>;
  /** Further ones, of an edit: a reference of other proportions is cropped, never squeezed. */
  constantOfEdit: Readonly<Record<string, unknown>>;
  /** Whether status 503 says that the one job it can do is another. */
  isBusyBy503: boolean;
}

const usualFields = {
  cfgScale: 'cfg_scale',
  sampler: 'sampler_name',
  denoising: 'denoising_strength',
} as const;

/** One picture, in the answer and nowhere else. */
const onePictureUnsaved = {
  batch_size: 1,
  n_iter: 1,
  send_images: true,
  save_images: false,
  do_not_save_samples: true,
  do_not_save_grid: true,
} as const;

const a1111: Flavour = {
  title: 'AUTOMATIC1111',
  baseUrl: 'http://127.0.0.1:7860',
  exampleModel: 'sd_xl_base_1.0',
  hasTasks: true,
  hasModelList: true,
  choosesModel: true,
  saysModel: true,
  hasMask: true,
  sidePixelsStep: 8,
  readsWebp: true,
  fields: usualFields,
  clipSkip: 'override_settings',
  constant: onePictureUnsaved,
  constantOfEdit: { resize_mode: 1, include_init_images: false },
  isBusyBy503: false,
};

/** Engines in one program without a web interface: one loaded model, one job at a time. */
const program = {
  hasTasks: false,
  choosesModel: false,
  saysModel: false,
  hasModelList: true,
  hasMask: true,
  sidePixelsStep: 64,
  readsWebp: false,
  fields: usualFields,
  clipSkip: 'clip_skip',
  constant: { batch_size: 1 },
  constantOfEdit: {},
} as const;

export const flavours: Readonly<Record<FlavourName, Flavour>> = {
  a1111,
  forge: { ...a1111, title: 'Forge', exampleModel: 'flux1-dev-bnb-nf4-v2' },
  sdnext: {
    ...a1111,
    title: 'SD.Next',
    // Its API registers no tasks: `/internal/progress` knows those of its own pages only.
    hasTasks: false,
    saysModel: false,
    clipSkip: 'clip_skip',
    // It counts otherwise: 1 squeezes, 2 crops.
    constantOfEdit: { resize_mode: 2, include_init_images: false },
  },
  'draw-things': {
    ...program,
    title: 'Draw Things',
    baseUrl: 'http://127.0.0.1:7860',
    exampleModel: 'loaded',
    hasModelList: false,
    hasMask: false,
    fields: { cfgScale: 'guidance_scale', sampler: 'sampler', denoising: 'strength' },
    constant: { batch_size: 1, batch_count: 1 },
    isBusyBy503: false,
  },
  koboldcpp: {
    ...program,
    title: 'KoboldCpp',
    baseUrl: 'http://127.0.0.1:5001',
    exampleModel: 'loaded',
    isBusyBy503: true,
  },
  'sd-server': {
    ...program,
    title: 'stable-diffusion.cpp server',
    baseUrl: 'http://127.0.0.1:1234',
    exampleModel: 'loaded',
    sidePixelsStep: 8,
    isBusyBy503: false,
  },
};
