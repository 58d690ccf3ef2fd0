import { z } from 'zod';
import { comfyuiLimits as limits } from './limits.ts';

const nodeId = z.union([z.string().min(1).max(64), z.int().min(0)]);
const place = z.strictObject({ node: nodeId, input: z.string().min(1).max(128) });
const places = z.union([place, z.array(place).min(1).max(limits.placesMax)]);
const slot = places.nullable().default(null);

const slots = z
  .strictObject({
    prompt: slot,
    negativePrompt: slot,
    width: slot,
    height: slot,
    seed: slot,
    steps: slot,
    cfg: slot,
    denoise: slot,
    batch: slot,
    images: z.array(places).max(limits.imagesMax).default([]),
    mask: slot,
  })
  .prefault({})
  .meta({
    title: 'Slots',
    description:
      'Where the job goes: for each value a place {"node": "6", "input": "text"}, or a list of ' +
      'places that all get it; `images` is a list with a place for each reference image. Instead ' +
      'of a slot, the workflow may have %prompt%, %seed%, %width%, %height%, %steps%, %denoise%, ' +
      '%fidelity%, %image_0%, %image_1% … and %mask% in its inputs.',
  });

const steps = z.int().min(1).max(limits.stepsMax);
const side = z.int().min(16).max(limits.sidePixelsMax);
const share = z.number().min(0).max(1);

const workflow = z.strictObject({
  workflow: z
    .union([z.string().max(limits.workflowTextCharactersMax), z.record(z.string(), z.unknown())])
    .meta({ title: 'Workflow', description: 'As exported by ComfyUI with “Export (API)”.' }),
  slots,
  output: nodeId.nullable().default(null).meta({
    title: 'Output node',
    description: 'Gives the picture; needed where several nodes could, best a SaveImageWebsocket.',
  }),
  imagesNeeded: z.int().min(0).max(limits.imagesMax).nullable().default(null).meta({
    title: 'Reference images needed',
    description: 'Fewer are refused; 0 lets a workflow with image slots generate without any.',
  }),
  unusedImages: z.enum(['first', 'remove']).default('first').meta({
    title: 'Unused image slots',
    description: 'Get the first reference image once more, or are removed with the links to them.',
  }),
  maskForm: z
    .enum(['auto', 'alpha', 'white'])
    .default('auto')
    .meta({
      title: 'Mask form',
      description:
        'What marks the area to change: transparent pixels (LoadImage’s MASK, LoadImageMask on ' +
        'alpha) or white ones (LoadImageMask on red, LoadImage’s IMAGE); auto knows these nodes.',
    }),
  transparent: z.boolean().default(false).meta({
    title: 'Transparent background',
    description: 'Whether the workflow makes pictures with an alpha channel.',
  }),
  qualitySteps: z
    .strictObject({
      low: steps.default(8),
      medium: steps.default(20),
      high: steps.default(30),
      xhigh: steps.default(40),
      max: steps.default(50),
      auto: steps.nullable().default(null),
    })
    .prefault({})
    .meta({
      title: 'Steps by quality',
      description: 'Sampling steps for each quality; auto keeps those of the workflow if empty.',
    }),
  fidelityDenoise: z
    .strictObject({ low: share.default(0.75), high: share.default(0.45) })
    .prefault({})
    .meta({
      title: 'Denoise by input fidelity',
      description: 'The stronger the denoising, the less is left of the reference image.',
    }),
  defaultSize: z
    .strictObject({ width: side.default(1024), height: side.default(1024) })
    .prefault({})
    .meta({
      title: 'Size when none is asked for',
      description: 'For %width% and %height%; slots keep the size of the workflow.',
    }),
});
export type WorkflowSettings = z.infer<typeof workflow>;
export type PlacesSetting = z.infer<typeof places>;

export const comfyuiSettings = z.strictObject({
  workflows: z
    .record(z.string().min(1).max(100), workflow)
    .refine((workflows) => Object.keys(workflows).length <= limits.workflowsMax, {
      message: `at most ${limits.workflowsMax} workflows`,
    })
    .default({})
    .meta({
      title: 'Workflows',
      description: 'By name; each is an upstream model.',
    }),
  previews: z.enum(['auto', 'latent2rgb', 'taesd', 'none']).default('auto').meta({
    title: 'Previews',
    description: 'How the server draws the previews that become partial images.',
  }),
  queueMax: z.int().min(1).max(limits.queueMax).nullable().default(32).meta({
    title: 'Longest queue',
    description:
      'With so many workflows before ours the server counts as busy; empty for no limit.',
  }),
  queueSecondsMax: z.int().min(1).max(limits.queueSecondsMax).default(300).meta({
    title: 'Longest wait in the queue (seconds)',
    description:
      'A workflow that has not begun by then is taken back, and the server counts as busy.',
  }),
  keepPromptDirectives: z
    .boolean()
    .default(false)
    .meta({
      title: 'Keep directives in prompts',
      description:
        'Whether a caller’s <lora:…>, embedding:…, __wildcard__ and {a|b} reach the nodes; without ' +
        'it they become plain words.',
    }),
  eraseFiles: z
    .boolean()
    .default(true)
    .meta({
      title: 'Erase files',
      description:
        'Overwrites the uploaded pictures and the file of a SaveImage node with an empty picture ' +
        'when the workflow has ended.',
    }),
});
export type ComfyuiSettings = z.infer<typeof comfyuiSettings>;
