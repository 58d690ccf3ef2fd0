/** What a job is in the engine's words; compare `/docs` of a running engine. */
import { imageLimits } from '../../../shared/limits.ts';
import type { BodyPiece } from '../../lib/bytes/body-pieces.ts';
import { sharp } from '../../lib/pictures/sharp.ts';
import {
  type ImageJob,
  type InputImage,
  UpstreamError,
  type UpstreamWarning,
} from '../upstream.ts';
import { refuseUnsupported } from '../wire/capable.ts';
import { madeOnce } from '../wire/made-once.ts';
import { paintMask } from '../wire/mask.ts';
import { Base64Text, jsonBody } from '../wire/picture-text.ts';
import { capabilitiesOf } from './capabilities.ts';
import { withoutDirectives } from './directives.ts';
import { type Drawing, drawingOf, type Engine, inpaintingFills } from './settings.ts';
import { sizeFor } from './size.ts';

export interface PictureRequest {
  path: '/sdapi/v1/txt2img' | '/sdapi/v1/img2img';
  body: readonly BodyPiece[];
  warnings: readonly UpstreamWarning[];
}

export async function requestFor(
  job: ImageJob,
  engine: Engine,
  taskId: string | null,
): Promise<PictureRequest> {
  refuseUnsupported(job, capabilitiesOf(engine, job.upstreamModel));
  const { flavour, settings } = engine;
  const drawing = drawingOf(settings, job.upstreamModel);
  const prompt = settings.keepPromptDirectives ? job.prompt : withoutDirectives(job.prompt);
  const [given] = job.referenceImages;
  const reference = given && (await readable(given, flavour, { isMasked: job.mask !== null }));
  const size = sizeFor(
    { size: job.size, referenceImages: reference ? [reference] : [] },
    { sideStep: flavour.sidePixelsStep, ...drawing },
  );
  const fields = {
    ...flavour.constant,
    negative_prompt: drawing.negativePrompt,
    width: size.width,
    height: size.height,
    steps: drawing.steps[job.quality],
    seed: -1,
    ...(drawing.cfgScale !== null && { [flavour.fields.cfgScale]: drawing.cfgScale }),
    ...(drawing.sampler !== null && { [flavour.fields.sampler]: drawing.sampler }),
    ...(drawing.scheduler !== null && { scheduler: drawing.scheduler }),
    ...(flavour.clipSkip === 'clip_skip' &&
      drawing.clipSkip !== null && { clip_skip: drawing.clipSkip }),
    ...(reference && editFields(job, { flavour, settings }, drawing)),
  };
  const body = {
    ...fields,
    ...freeFields(job.extra),
    ...overrideFields(job, { flavour, settings }, drawing),
    ...(taskId !== null && { force_task_id: taskId }),
    prompt,
    ...(reference && { init_images: [new Base64Text(reference.bytes)] }),
    ...(job.mask && { mask: new Base64Text(await paintMask(job.mask, 'white')) }),
  };
  return {
    path: reference ? '/sdapi/v1/img2img' : '/sdapi/v1/txt2img',
    body: jsonBody(body),
    warnings: [
      ...(prompt === job.prompt ? [] : ['prompt_stripped' as const]),
      ...(size.isExact ? [] : ['size_approximated' as const]),
      ...(job.moderation === 'low' ? ['moderation_ignored' as const] : []),
    ],
  };
}

function editFields(
  job: ImageJob,
  { flavour, settings }: Omit<Engine, 'baseUrl'>,
  { denoising }: Drawing,
) {
  const { inpainting } = settings;
  return {
    ...flavour.constantOfEdit,
    [flavour.fields.denoising]: denoising[job.inputFidelity ?? 'low'],
    ...(job.mask && {
      inpainting_mask_invert: 0,
      inpainting_fill: inpaintingFills[inpainting.fill],
      inpaint_full_res: !inpainting.wholePicture,
      inpaint_full_res_padding: inpainting.marginPixels,
      mask_blur: inpainting.maskBlurPixels,
    }),
  };
}

/** What the administrator adds, but for what is the job's: its prompt, pictures, task and model. */
function freeFields(extra: ImageJob['extra']): Record<string, unknown> {
  const jobs = ['prompt', 'init_images', 'mask', 'force_task_id', 'override_settings'];
  return Object.fromEntries(Object.entries(extra).filter(([name]) => !jobs.includes(name)));
}

/** Settings of the engine for this job alone; what the administrator adds may not change the model. */
function overrideFields(
  job: ImageJob,
  { flavour, settings }: Omit<Engine, 'baseUrl'>,
  { clipSkip }: Drawing,
) {
  const given = job.extra['override_settings'];
  const overrides = {
    ...(flavour.clipSkip === 'override_settings' &&
      clipSkip !== null && { CLIP_stop_at_last_layers: clipSkip }),
    ...(typeof given === 'object' && given),
    ...(flavour.choosesModel && { sd_model_checkpoint: job.upstreamModel }),
  };
  if (Object.keys(overrides).length === 0) return {};
  return {
    override_settings: overrides,
    override_settings_restore_afterwards: settings.restoreModel,
  };
}

/**
 * The reference image in a form that every engine sees alike. Some turn it as its EXIF says and some do
 * not, and none turns a mask: it is turned here, unless a mask lies over it as it is stored.
 */
async function readable(
  reference: InputImage,
  { readsWebp }: { readsWebp: boolean },
  { isMasked }: { isMasked: boolean },
): Promise<SizedPicture> {
  try {
    const options = { limitInputPixels: imageLimits.filePixelsMax, failOn: 'error' } as const;
    const picture = sharp(reference.bytes, options);
    const { orientation = 1 } = await picture.metadata();
    const isRead = reference.format !== 'webp' || readsWebp;
    if (isRead && orientation === 1) return reference;
    const form = isMasked ? 'plain png' : 'plain upright png';
    const bytes = await madeOnce(reference, form, () =>
      (isMasked ? picture : picture.autoOrient()).png({ compressionLevel: 3 }).toBuffer(),
    );
    const { width, height } = reference;
    const isOnItsSide = !isMasked && orientation >= 5;
    return isOnItsSide ? { bytes, width: height, height: width } : { bytes, width, height };
  } catch (cause) {
    if (cause instanceof UpstreamError) throw cause;
    throw new UpstreamError('bad_request', 'the reference image cannot be decoded', { cause });
  }
}

type SizedPicture = Pick<InputImage, 'bytes' | 'width' | 'height'>;
