/**
 * The built-in upstream: it draws labelled test pictures in this process, so that a fresh
 * installation makes its first picture without a service, a network or a key.
 *
 * It draws no prompt and calls nobody. Directives in the prompt (`directives.ts`) make it slow,
 * wrong or broken in every way an upstream can be.
 */
import { availableParallelism } from 'node:os';
import { z } from 'zod';
import type { ImageFormat } from '../../../shared/image-options.ts';
import { isOpaque } from '../../../shared/is-opaque.ts';
import { defineKind, type UpstreamConfig } from '../adapter-kind.ts';
import {
  type Adapter,
  type ImageJob,
  type UpstreamContext,
  UpstreamError,
  type UpstreamEvent,
  type UpstreamFinal,
} from '../upstream.ts';
import { brokenAnswer } from './broken-answer.ts';
import {
  directiveLimits,
  type Misbehaviour,
  plainScript,
  readDirectives,
  type Script,
} from './directives.ts';
import { coarsen, type Encoding, encode, type Raster } from './encode.ts';
import { journalFile, writeJournal } from './journal.ts';
import { modelNamed, sandboxModels } from './models.ts';
import { padPicture } from './padding.ts';
import { drawPicture, type PictureOrder } from './picture.ts';
import { RenderQueue } from './render-queue.ts';
import { type Schedule, scheduleOf } from './schedule.ts';
import { scriptedFailure } from './scripted-failure.ts';
import { randomFor, seedOf } from './seeded-random.ts';
import { tokensFor } from './tokens.ts';

const sandboxLimits = {
  delayMsMax: directiveLimits.delayMsMax,
  /** A stalled attempt that nobody stops ends as a timeout. */
  stallMsMax: 3_600_000,
  rendersPerCore: 2,
  rendersWaitingMax: 4096,
} as const;

const settingsSchema = z.strictObject({
  directives: z.enum(['on', 'off']).default('on').meta({
    title: 'Directives',
    description: 'Whether [[name=value]] in a prompt is an order to the sandbox or ordinary text.',
  }),
  delayMs: z.int().min(0).max(sandboxLimits.delayMsMax).default(0).meta({
    title: 'Delay in milliseconds',
    description:
      'How long a picture takes, to try the service with an engine as slow as real ones.',
  }),
  journal: z
    .string()
    .regex(journalFile, 'must be an absolute path that ends in .sandbox-journal')
    .nullable()
    .default(null)
    .meta({
      title: 'Journal',
      description: 'For tests that kill the service: a file that gets a line for every event.',
    }),
});
type Settings = z.infer<typeof settingsSchema>;

export const sandboxKind = defineKind({
  kind: 'sandbox',
  title: 'Sandbox',
  description: 'Draws labelled test pictures in this process; needs no service and no key.',
  baseUrl: 'unused',
  credential: 'unused',
  credentialForm: '',
  settings: settingsSchema,
  presets: [{ title: 'Sandbox', baseUrl: null, settings: {}, upstreamModels: ['sandbox-studio'] }],
  create,
});

/** One for all sandbox upstreams, because it is this machine's cores they share. */
const renderQueue = new RenderQueue(
  availableParallelism() * sandboxLimits.rendersPerCore,
  sandboxLimits.rendersWaitingMax,
);

function create({ settings }: UpstreamConfig<Settings>): Adapter {
  return {
    capabilities: (upstreamModel) => modelNamed(upstreamModel).capabilities,
    run: (job, context) => run(job, context, settings),
    listModels: async () =>
      sandboxModels.map(({ upstreamModel, description }) => ({ upstreamModel, description })),
    close: async () => {},
  };
}

async function* run(
  job: ImageJob,
  context: UpstreamContext,
  settings: Settings,
): AsyncGenerator<UpstreamEvent, void, void> {
  try {
    const script =
      settings.directives === 'on' ? readDirectives(job.prompt) : plainScript(job.prompt);
    const events = perform(planOf(job, script, settings), context);
    yield* settings.journal === null ? events : journaled(events, job, settings.journal);
  } catch (cause) {
    if (context.signal.aborted) {
      throw new UpstreamError('canceled', 'the sandbox was stopped', { cause });
    }
    if (cause instanceof UpstreamError) throw cause;
    throw new UpstreamError('unavailable', 'the sandbox could not draw the picture', { cause });
  }
}

/** The same events, each in the journal before anybody sees it. */
async function* journaled(
  events: AsyncGenerator<UpstreamEvent, void, void>,
  job: ImageJob,
  journal: string,
): AsyncGenerator<UpstreamEvent, void, void> {
  writeJournal(journal, 'asked', job);
  for await (const event of events) {
    if (event.kind === 'accepted' || event.kind === 'final') writeJournal(journal, event.kind, job);
    yield event;
  }
}

/** One attempt: its events when they are due, up to where the script lets it go wrong. */
async function* perform(
  plan: Plan,
  { clock, signal }: UpstreamContext,
): AsyncGenerator<UpstreamEvent, void, void> {
  const { schedule, failure, upstreamRequestId } = plan;
  const startedMs = clock.monotonic();
  const due = async (atMs: number) => {
    const restMs = startedMs + atMs - clock.monotonic();
    if (restMs > 0) await clock.sleep(restMs, signal);
    signal.throwIfAborted();
  };
  // Drawn no sooner than it is due, so that a thousand slow attempts hold no pixels.
  const studio = studioFor(plan.order, signal);

  if (failure?.place === 'accepted') {
    await due(failure.atMs);
    throw failure.error;
  }
  await due(schedule.firstMs);
  yield { kind: 'accepted', upstreamRequestId };
  if (plan.isStalling) {
    await clock.sleep(sandboxLimits.stallMsMax, signal);
    throw new UpstreamError('timeout', 'the sandbox stalled as directed', { upstreamRequestId });
  }
  const count = schedule.partialsMs.length;
  for (const [index, atMs] of schedule.partialsMs.entries()) {
    await due(atMs);
    const bytes = await studio(async (raster) =>
      encode(await coarsen(raster, index, count), plan.encoding),
    );
    yield { kind: 'partial', index, image: { encoding: 'raw', bytes } };
    if (failure?.place === 'partial' && failure.index === index) throw failure.error;
  }
  await due(schedule.finalMs);
  if (failure?.place === 'final') throw failure.error;
  yield await studio(async (raster) => plan.finish(await encode(raster, plan.encoding), raster));
}

/**
 * Gives each use of the picture its turn in the queue and draws it in the first. A picture that is
 * begun goes before those that are not, so that few are held in memory at a time.
 */
function studioFor(order: PictureOrder, signal: AbortSignal) {
  let drawn: Raster | null = null;
  return async <T>(use: (raster: Raster) => Promise<T>): Promise<T> => {
    const work = async () => {
      const raster: Raster = drawn ?? (await drawPicture(order));
      drawn = raster;
      return use(raster);
    };
    const result = await renderQueue.run(work, { signal, isBegun: drawn !== null });
    signal.throwIfAborted();
    return result;
  };
}

/** Everything about an attempt that is decided before it starts. */
interface Plan {
  order: PictureOrder;
  encoding: Encoding;
  schedule: Schedule;
  isStalling: boolean;
  failure: PlannedFailure | null;
  upstreamRequestId: string;
  /** Makes the last event of the encoded picture, damaged if the script says so. */
  finish: (file: Buffer, raster: Raster) => UpstreamFinal;
}

/** Where an error takes an event's place: instead of `accepted` or `final`, or after a partial. */
type PlannedFailure = { error: UpstreamError } & (
  | { place: 'accepted'; atMs: number }
  | { place: 'partial'; index: number }
  | { place: 'final' }
);

function planOf(job: ImageJob, script: Script, settings: Settings): Plan {
  const format = script.actual.format ?? job.format;
  const order = orderOf(job, script, format);
  const partialImages = Math.min(job.partialImages, script.partialImagesMax ?? job.partialImages);
  const isCured = script.times !== null && job.attempt > script.times;
  const misbehaviour = isCured ? null : script.misbehaviour;
  const upstreamRequestId = `sandbox-${job.traceId}-${job.pictureIndex}-${job.attempt}`;
  const attemptSeed = seedOf({ id: job.traceId, picture: job.pictureIndex, attempt: job.attempt });
  const schedule = scheduleOf(
    {
      delayMs: script.delayMs ?? settings.delayMs,
      firstMs: script.firstMs ?? 0,
      jitterShare: script.jitterShare,
      partialImages,
    },
    randomFor(attemptSeed, 'jitter'),
  );
  return {
    order,
    encoding: { format, compression: job.compression },
    schedule,
    isStalling: misbehaviour?.kind === 'stall',
    failure: plannedFailure(misbehaviour, { script, schedule, upstreamRequestId }),
    upstreamRequestId,
    finish: (file, { width, height, channels, pixels }) => {
      const whole = padPicture(file, { format, width, height }, script.fileBytes ?? 0);
      const bytes =
        misbehaviour?.kind === 'broken' ? brokenAnswer(misbehaviour.answer, whole) : whole;
      const { prompt, revisedPrompt } = script;
      const { quality } = order;
      // A masked edit keeps the clear parts of its reference image.
      const isClear = format !== 'jpeg' && channels === 4 && !isOpaque(pixels);
      return {
        kind: 'final',
        image: { encoding: 'raw', bytes },
        revisedPrompt,
        actual: { quality, background: isClear ? 'transparent' : 'opaque' },
        tokens: tokensFor(job, { prompt, quality, pixels: width * height, partialImages }),
        upstreamRequestId,
        warnings: [],
      };
    },
  };
}

function orderOf(job: ImageJob, script: Script, format: ImageFormat): PictureOrder {
  const model = modelNamed(job.upstreamModel);
  if (!model.capabilities.qualities.includes(job.quality)) {
    throw new UpstreamError('unsupported', `${model.upstreamModel} has no quality ${job.quality}`);
  }
  return {
    prompt: script.prompt,
    seed: script.seed,
    pictureIndex: job.pictureIndex,
    model,
    size: script.actual.size ?? job.size,
    quality: script.actual.quality ?? (job.quality === 'auto' ? 'medium' : job.quality),
    isTransparent: job.background === 'transparent' && format !== 'jpeg',
    isOpaque: job.background === 'opaque',
    inputFidelity: job.inputFidelity,
    referenceImages: job.referenceImages,
    mask: job.mask,
  };
}

function plannedFailure(
  misbehaviour: Misbehaviour | null,
  attempt: { script: Script; schedule: Schedule; upstreamRequestId: string },
): PlannedFailure | null {
  if (misbehaviour?.kind !== 'fail' && misbehaviour?.kind !== 'drop') return null;
  const { script, schedule, upstreamRequestId } = attempt;
  const { afterPartial } = misbehaviour;
  const isRejection = misbehaviour.kind === 'fail' && afterPartial === null;
  const error = scriptedFailure(misbehaviour, {
    upstreamRequestId,
    retryAfterMs: script.retryAfterMs,
    wasAccepted: !isRejection,
  });
  if (isRejection) {
    const atMs = script.firstMs === null ? schedule.finalMs : schedule.firstMs;
    return { place: 'accepted', atMs, error };
  }
  const isAfterPartial = afterPartial !== null && afterPartial <= schedule.partialsMs.length;
  // A partial image that never comes cannot be waited for: the final picture's turn is the end.
  return isAfterPartial
    ? { place: 'partial', index: afterPartial - 1, error }
    : { place: 'final', error };
}
