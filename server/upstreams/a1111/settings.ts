/** What an administrator may set, for the upstream and for single models of it. */
import { z } from 'zod';
import { invalidRequest } from '../../lib/service-error.ts';
import { type Flavour, flavourNames, flavours } from './flavours.ts';

const limits = {
  stepsMax: 150,
  cfgScaleMax: 30,
  nameCharactersMax: 200,
  negativePromptCharactersMax: 4_000,
  clipSkipMax: 12,
  sidePixelsMin: 256,
  sidePixelsMax: 2_048,
  maskBlurPixelsMax: 64,
  maskMarginPixelsMax: 256,
  progressEveryMsMin: 100,
  progressEveryMsMax: 10_000,
  modelsMax: 200,
} as const;

const stepCount = z.int().min(1).max(limits.stepsMax);
const strength = z.number().min(0).max(1);
const name = z.string().min(1).max(limits.nameCharactersMax);

/** The numbers of `inpainting_fill`. */
export const inpaintingFills = {
  fill: 0,
  original: 1,
  'latent-noise': 2,
  'latent-nothing': 3,
} as const;

/** How pictures are drawn. Each may be set for single models too. */
const drawing = {
  steps: z.strictObject({
    auto: stepCount.default(20).meta({ title: 'Auto' }),
    low: stepCount.default(8).meta({ title: 'Low' }),
    medium: stepCount.default(20).meta({ title: 'Medium' }),
    high: stepCount.default(30).meta({ title: 'High' }),
    xhigh: stepCount.default(40).meta({ title: 'Extra high' }),
    max: stepCount.default(50).meta({ title: 'Max' }),
  }),
  cfgScale: z.number().min(0).max(limits.cfgScaleMax).nullable(),
  sampler: name.nullable(),
  scheduler: name.nullable(),
  negativePrompt: z.string().max(limits.negativePromptCharactersMax),
  clipSkip: z.int().min(1).max(limits.clipSkipMax).nullable(),
  autoSidePixels: z.int().min(limits.sidePixelsMin).max(limits.sidePixelsMax),
  denoising: z.strictObject({
    low: strength.default(0.75).meta({ title: 'Input fidelity low, or not said' }),
    high: strength.default(0.45).meta({ title: 'Input fidelity high' }),
  }),
  edit: z.boolean(),
};

const about = {
  steps: {
    title: 'Steps for each quality',
    description: 'How many sampling steps a quality stands for. More take longer.',
  },
  cfgScale: {
    title: 'CFG scale',
    description: 'How closely a picture keeps to the prompt. Empty leaves it to the engine.',
  },
  sampler: {
    title: 'Sampler',
    description: 'Its name, as the engine lists it. Empty leaves it to the engine.',
  },
  scheduler: {
    title: 'Scheduler',
    description: 'Its name, as the engine lists it. Empty leaves it to the engine.',
  },
  negativePrompt: {
    title: 'Negative prompt',
    description: 'What no picture should show. Sent with every prompt.',
  },
  clipSkip: {
    title: 'Clip skip',
    description: 'Last layers of the text encoder to leave out. Empty leaves it to the engine.',
  },
  autoSidePixels: {
    title: 'Side of the automatic size',
    description: 'Size "auto" is a square of this side; in an edit, as many pixels in proportion.',
  },
  denoising: {
    title: 'Denoising strength of edits',
    description: 'How much of the reference image is redrawn: 0 nothing, 1 everything.',
  },
  edit: {
    title: 'Offer edits',
    description: 'Whether a reference image may be given. Turn off for models that ignore it.',
  },
} as const;

const drawingOfModel = z
  .strictObject({
    steps: drawing.steps.meta(about.steps),
    cfgScale: drawing.cfgScale.meta(about.cfgScale),
    sampler: drawing.sampler.meta(about.sampler),
    scheduler: drawing.scheduler.meta(about.scheduler),
    negativePrompt: drawing.negativePrompt.meta(about.negativePrompt),
    clipSkip: drawing.clipSkip.meta(about.clipSkip),
    autoSidePixels: drawing.autoSidePixels.meta(about.autoSidePixels),
    denoising: drawing.denoising.meta(about.denoising),
    edit: drawing.edit.meta(about.edit),
  })
  .partial();

export const settingsSchema = z.strictObject({
  flavour: z.enum(flavourNames).default('a1111').meta({
    title: 'Engine',
    description:
      'Which engine answers. Previews, and stopping a job, need AUTOMATIC1111 1.8 or newer, or Forge.',
  }),
  authentication: z.enum(['basic', 'bearer']).default('basic').meta({
    title: 'Authentication',
    description: 'How the credential is sent: as user:password (--api-auth) or as a bearer key.',
  }),
  steps: drawing.steps.prefault({}).meta(about.steps),
  cfgScale: drawing.cfgScale.default(null).meta(about.cfgScale),
  sampler: drawing.sampler.default(null).meta(about.sampler),
  scheduler: drawing.scheduler.default(null).meta(about.scheduler),
  negativePrompt: drawing.negativePrompt.default('').meta(about.negativePrompt),
  clipSkip: drawing.clipSkip.default(null).meta(about.clipSkip),
  autoSidePixels: drawing.autoSidePixels.default(1_024).meta(about.autoSidePixels),
  denoising: drawing.denoising.prefault({}).meta(about.denoising),
  edit: drawing.edit.default(true).meta(about.edit),
  inpainting: z
    .strictObject({
      fill: z
        .enum(['fill', 'original', 'latent-noise', 'latent-nothing'])
        .default('original')
        .meta({ title: 'What the area starts from' }),
      wholePicture: z.boolean().default(true).meta({
        title: 'Whole picture',
        description: 'Off redraws the area alone, at full resolution, with a margin around it.',
      }),
      marginPixels: z.int().min(0).max(limits.maskMarginPixelsMax).default(32).meta({
        title: 'Margin in pixels',
      }),
      maskBlurPixels: z.int().min(0).max(limits.maskBlurPixelsMax).default(4).meta({
        title: 'Mask blur in pixels',
      }),
    })
    .prefault({})
    .meta({ title: 'Inpainting', description: 'How the area of a mask is redrawn.' }),
  previews: z.boolean().default(true).meta({
    title: 'Previews',
    description: "Show the engine's live previews as partial images, where it has them.",
  }),
  progressEveryMs: z
    .int()
    .min(limits.progressEveryMsMin)
    .max(limits.progressEveryMsMax)
    .default(500)
    .meta({
      title: 'Milliseconds between looks at the progress',
      description: 'How often the engine is asked whether a job has begun and has a preview.',
    }),
  restoreModel: z.boolean().default(false).meta({
    title: 'Restore the model afterwards',
    description: 'Load the model that was loaded before again after each picture. Slow.',
  }),
  keepPromptDirectives: z
    .boolean()
    .default(false)
    .meta({
      title: 'Keep directives in prompts',
      description:
        'Let callers load LoRAs and other networks with <lora:…>, draw words with __wildcard__ and ' +
        '{a|b}, and multiply the work with AND.',
    }),
  models: z
    .record(name, drawingOfModel)
    .refine((models) => Object.keys(models).length <= limits.modelsMax, {
      message: `at most ${limits.modelsMax} models`,
    })
    .default({})
    .meta({
      title: 'Models',
      description:
        'Settings of single models, by name. For an engine without a list, these are its models.',
    }),
});
export type Settings = z.infer<typeof settingsSchema>;

/** How one upstream model draws. */
export type Drawing = Pick<Settings, keyof typeof drawing>;

/** An upstream as its adapter's parts see it. */
export interface Engine {
  /** Without a slash at the end. */
  baseUrl: string;
  flavour: Flavour;
  settings: Settings;
}

export function engineOf(config: { baseUrl: string | null; settings: Settings }): Engine {
  const { baseUrl, settings } = config;
  if (baseUrl === null || !URL.canParse(baseUrl)) {
    throw invalidRequest(
      'base_url',
      'base_url must be the address of the engine, such as http://127.0.0.1:7860.',
    );
  }
  return { baseUrl, flavour: flavours[settings.flavour], settings };
}

export function drawingOf(settings: Settings, upstreamModel: string): Drawing {
  const own = Object.hasOwn(settings.models, upstreamModel) ? settings.models[upstreamModel] : {};
  const { steps, cfgScale, sampler, scheduler, negativePrompt } = settings;
  const { clipSkip, autoSidePixels, denoising, edit } = settings;
  const common = { steps, cfgScale, sampler, scheduler, negativePrompt, clipSkip };
  // An absent field of a model is absent from `own` too, so it does not hide the common one.
  return Object.assign({ ...common, autoSidePixels, denoising, edit }, own);
}
