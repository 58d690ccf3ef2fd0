/**
 * AUTOMATIC1111's `/sdapi/v1`, and the engines that speak it. A job is one request, answered when
 * the picture is done; what is known of it before comes from looking at its task's progress.
 */
import { createHmac, randomBytes } from 'node:crypto';
import type { Clock } from '../../lib/clock.ts';
import { defineKind, type OpenUpstreamHttp, type UpstreamConfig } from '../adapter-kind.ts';
import {
  type Adapter,
  type ImageJob,
  type ListedModel,
  type UpstreamContext,
  UpstreamError,
  type UpstreamEvent,
} from '../upstream.ts';
import { endInFault, endInFaults } from '../wire/endings.ts';
import { withoutEngineText } from '../wire/engine-text.ts';
import { capabilitiesOf } from './capabilities.ts';
import { EngineApi, type Made } from './engine-api.ts';
import { flavourNames, flavours } from './flavours.ts';
import { type PictureRequest, requestFor } from './request.ts';
import { type Engine, engineOf, type Settings, settingsSchema } from './settings.ts';
import { TaskStopper } from './task-stopper.ts';
import { within } from './time-limit.ts';
import { type Sighting, watchTask } from './watch-task.ts';

export const a1111Kind = defineKind({
  kind: 'a1111',
  title: 'AUTOMATIC1111 API',
  description:
    'Engines of your own: AUTOMATIC1111, Forge, SD.Next, Draw Things, KoboldCpp, stable-diffusion.cpp.',
  baseUrl: 'needed',
  credential: 'optional',
  credentialForm: 'user:password',
  settings: settingsSchema,
  presets: flavourNames.map((flavour) => ({
    title: flavours[flavour].title,
    baseUrl: flavours[flavour].baseUrl,
    settings: { flavour },
    upstreamModels: [flavours[flavour].exampleModel] as const,
  })),
  create,
});

const stateMsMax = 5_000;

function create(config: UpstreamConfig<Settings>, openHttp: OpenUpstreamHttp): Adapter {
  const engine = engineOf(config);
  const http = openHttp({ origins: [new URL(engine.baseUrl).origin] });
  const api = new EngineApi(engine, http);
  const parts: Parts = { engine, api, stopper: new TaskStopper(api), taskIdKey: randomBytes(32) };
  let closed: Promise<void> | null = null;
  return {
    capabilities: (upstreamModel) => capabilitiesOf(engine, upstreamModel),
    run: (job, context) => endInFaults(run(job, context, parts), context.signal),
    listModels: (context) => endInFault(() => listModels(context, parts), context.signal),
    close: () => {
      // Tasks are stopped over the same connections.
      closed ??= parts.stopper.close().then(() => http.close());
      return closed;
    },
  };
}

interface Parts {
  engine: Engine;
  api: EngineApi;
  stopper: TaskStopper;
  taskIdKey: Buffer;
}

async function* run(
  job: ImageJob,
  context: UpstreamContext,
  parts: Parts,
): AsyncGenerator<UpstreamEvent, void, void> {
  const { engine, taskIdKey } = parts;
  const taskId = engine.flavour.hasTasks ? taskIdOf(job, taskIdKey) : null;
  const request = await requestFor(job, engine, taskId);
  context.signal.throwIfAborted();
  yield* draw({ job, request, taskId }, context, parts);
}

/**
 * A name for the task that nobody can guess who knows the trace ID: whoever can name a task can see
 * its previews.
 */
function taskIdOf({ traceId, pictureIndex, attempt }: ImageJob, key: Buffer): string {
  const code = createHmac('sha256', key).update(`${traceId} ${pictureIndex} ${attempt}`);
  return `task(tintype-${code.digest('hex').slice(0, 32)})`;
}

interface PlannedJob {
  job: ImageJob;
  request: PictureRequest;
  taskId: string | null;
}

async function* draw(
  plan: PlannedJob,
  context: UpstreamContext,
  parts: Parts,
): AsyncGenerator<UpstreamEvent, void, void> {
  const { job, request, taskId } = plan;
  const left = new AbortController();
  const answered = new AbortController();
  const signal = AbortSignal.any([context.signal, left.signal]);
  const making = make(plan, { ...context, signal }, parts).finally(() => answered.abort());
  // Whoever leaves the loop below never comes to wait for it.
  making.catch(() => {});
  let isAccepted = false;
  let partials = 0;
  try {
    const untilAnswered = AbortSignal.any([signal, answered.signal]);
    for await (const sighting of sightings(plan, { ...context, signal: untilAnswered }, parts)) {
      if (sighting.kind === 'preview') {
        yield { kind: 'partial', index: partials++, image: sighting.image };
        continue;
      }
      isAccepted = true;
      yield { kind: 'accepted', upstreamRequestId: taskId };
    }
    const made = await making;
    if (parts.engine.flavour.saysModel) refuseOtherModel(made, job.upstreamModel);
    if (taskId !== null) await refuseInterrupted(made, { ...context, signal }, parts);
    const upstreamRequestId = made.upstreamRequestId ?? taskId;
    if (!isAccepted) yield { kind: 'accepted', upstreamRequestId };
    const lacksPartials = job.partialImages > 0 && partials === 0;
    yield {
      kind: 'final',
      image: withoutEngineText(made.image),
      revisedPrompt: null,
      actual: { quality: null, background: null },
      tokens: null,
      upstreamRequestId,
      warnings: [
        ...request.warnings,
        ...(lacksPartials ? ['partial_images_ignored' as const] : []),
      ],
    };
  } finally {
    left.abort();
  }
}

/** The one request of a job; a task of it that may go on without us is stopped. */
function make(
  { request, taskId }: PlannedJob,
  { signal, clock, credential }: UpstreamContext,
  { api, stopper }: Parts,
): Promise<Made> {
  const making = api.makePicture(request, { signal, credential });
  if (taskId === null) return making;
  return stopper.supervise(making, { id: taskId, clock, credential }, signal);
}

async function* sightings(
  { job, taskId }: PlannedJob,
  { signal, clock, credential }: UpstreamContext,
  { api, engine }: Parts,
): AsyncGenerator<Sighting, void, void> {
  if (taskId === null) return;
  const { previews, progressEveryMs } = engine.settings;
  const previewsMax = previews ? job.partialImages : 0;
  const watch = {
    clock,
    everyMs: progressEveryMs,
    previewsMax,
    look: (previewId: number, lookSignal: AbortSignal) =>
      api.readProgress(taskId, previewId, {
        signal: lookSignal,
        credential,
        wantsPreview: previewsMax > 0,
      }),
  };
  yield* watchTask(watch, signal);
}

/**
 * An interrupted job is answered like any other, with the picture as far as it had come. The engine
 * tells it only in its state, and only until the next job begins; so this finds what somebody else
 * interrupted as long as nothing waited behind it.
 */
async function refuseInterrupted(
  { jobTimestamp, upstreamRequestId }: Made,
  { signal, clock, credential }: UpstreamContext,
  { api }: Parts,
): Promise<void> {
  if (jobTimestamp === null) return;
  const state = await stateOf(api, { signal, clock, credential });
  if (state === null || !state.isInterrupted || state.jobTimestamp !== jobTimestamp) return;
  throw new UpstreamError('unavailable', 'somebody interrupted the job at the engine', {
    possiblyCharged: true,
    ...(upstreamRequestId !== null && { upstreamRequestId }),
  });
}

/** An engine that no longer has the model draws with the one that is loaded, and says so only beside the picture. */
function refuseOtherModel({ modelName, upstreamRequestId }: Made, asked: string): void {
  if (modelName === null || isSameModel(asked, modelName)) return;
  throw new UpstreamError('unsupported', 'the engine drew with another model', {
    possiblyCharged: true,
    ...(upstreamRequestId !== null && { upstreamRequestId }),
  });
}

/**
 * A model is listed by its path with `_` for slashes, and told by its last part. The engine also knows it
 * by its path, by its title, which ends in a hash, and by the hash alone, which says nothing of the name.
 */
function isSameModel(asked: string, drew: string): boolean {
  const name = asked.replace(/ \[[0-9a-f]+\]$/i, '').replace(/\.(?:safetensors|ckpt|gguf)$/i, '');
  const isHash = /^(?:[0-9a-f]{8}|[0-9a-f]{10}|[0-9a-f]{64})$/i.test(asked);
  return isHash || name === drew || ['_', '/', '\\'].some((slash) => name.endsWith(slash + drew));
}

/** Null where the engine does not say: then the picture is taken as it is. */
async function stateOf(
  api: EngineApi,
  { signal, clock, credential }: { signal: AbortSignal; clock: Clock; credential: string | null },
) {
  try {
    return await within({ clock, ms: stateMsMax }, (limit) =>
      api.readState({ signal: AbortSignal.any([signal, limit]), credential }),
    );
  } catch {
    signal.throwIfAborted();
    return null;
  }
}

/** What stands in the list of an engine that has none, where nobody named its models. */
const loadedModel: ListedModel = {
  upstreamModel: 'loaded',
  description: 'Whichever model is loaded in the engine',
};

async function listModels(
  { signal, credential }: UpstreamContext,
  { engine, api }: Parts,
): Promise<readonly ListedModel[]> {
  if (!engine.flavour.hasModelList) return namedModels(engine);
  return await api.listModels({ signal, credential });
}

function namedModels({ settings }: Engine): readonly ListedModel[] {
  const named = Object.keys(settings.models);
  if (named.length === 0) return [loadedModel];
  return named.map((upstreamModel) => ({ upstreamModel, description: null }));
}
