/** One attempt: upload, submit, follow, fetch; and whatever happens, clear away. */
import { randomUUID } from 'node:crypto';
import {
  type ImageJob,
  type UpstreamContext,
  UpstreamError,
  type UpstreamEvent,
  type UpstreamWarning,
} from '../upstream.ts';
import { withoutFileText } from '../wire/engine-text.ts';
import { uncharged } from '../wire/uncharged.ts';
import { type ComfyuiServer, unguessableName } from './comfyui-server.ts';
import type { Errands } from './errands.ts';
import { fillWorkflow, runAnew, type UploadedNames } from './fill-workflow.ts';
import { followPrompt } from './follow-prompt.ts';
import type { Graph } from './graph.ts';
import { clearAway, Leftovers } from './leftovers.ts';
import { maskFile } from './mask-file.ts';
import { orderOf } from './order.ts';
import { PromptWatch } from './prompt-watch.ts';
import type { ComfyuiSettings } from './settings.ts';
import type { Workflow } from './workflow.ts';

export interface WorkflowParts {
  server: ComfyuiServer;
  workflow: Workflow;
  settings: ComfyuiSettings;
  errands: Errands;
}

export async function* runWorkflow(
  job: ImageJob,
  context: UpstreamContext,
  parts: WorkflowParts,
): AsyncGenerator<UpstreamEvent, void, void> {
  const { server, workflow, settings, errands } = parts;
  const { clock, signal } = context;
  const order = orderOf(job, workflow, settings);
  await uncharged(refuseLongQueue(server, settings, signal));
  const leftovers = new Leftovers();
  try {
    const uploaded = await uncharged(upload(job, parts, leftovers, signal));
    const graph = fillWorkflow(workflow, order, uploaded, job.extra);
    const { watch, promptId } = await submit(graph, { job, parts, leftovers, signal });
    yield { kind: 'accepted', upstreamRequestId: promptId };
    const following = { watch, promptId, leftovers, clock, signal };
    const bytes = yield* followPrompt(following, parts);
    leftovers.isDelivered = true;
    const lacksPartials = job.partialImages > 0 && watch.previews === 0;
    yield finalOf(bytes, promptId, [
      ...order.warnings,
      ...(lacksPartials ? ['partial_images_ignored' as const] : []),
    ]);
  } finally {
    if (!settings.eraseFiles) leftovers.files.length = 0;
    errands.start(clearAway(leftovers, server, clock));
  }
}

/** Asked before anything is uploaded: it also shows whether the server is there and lets us in. */
async function refuseLongQueue(
  server: ComfyuiServer,
  { queueMax }: ComfyuiSettings,
  signal: AbortSignal,
): Promise<void> {
  const remaining = await server.queueRemaining(signal);
  if (queueMax === null || remaining < queueMax) return;
  throw new UpstreamError('busy', `${remaining} workflows are in the queue`);
}

async function upload(
  job: ImageJob,
  { server, workflow }: WorkflowParts,
  leftovers: Leftovers,
  signal: AbortSignal,
): Promise<UploadedNames> {
  const send = async (bytes: Buffer, format: string): Promise<string> => {
    const file = {
      filename: `${unguessableName()}.${format}`,
      subfolder: '',
      type: 'temp',
    } as const;
    leftovers.files.push(file);
    const name = await server.upload({ ...file, bytes, overwrite: false }, signal);
    return `${name} [temp]`;
  };
  const images: string[] = [];
  const [first] = job.referenceImages;
  for (const image of job.referenceImages) {
    // Its mask lies over it as it is stored, and is not turned as the nodes turn it by its EXIF.
    const isMasked = job.mask !== null && image === first;
    const bytes = isMasked ? withoutFileText(image.bytes) : image.bytes;
    images.push(await send(bytes, image.format));
  }
  if (!workflow.mask || !first) return { images, mask: null };
  const bytes = await maskFile(job.mask, { of: first, form: workflow.mask.form });
  return { images, mask: await send(bytes, 'png') };
}

interface Submission {
  job: ImageJob;
  parts: WorkflowParts;
  leftovers: Leftovers;
  signal: AbortSignal;
}

/** Listens before it speaks, so that nothing the server says of the workflow is missed. */
async function submit(
  filled: Graph,
  { job, parts, leftovers, signal }: Submission,
): Promise<{ watch: PromptWatch; promptId: string }> {
  const { server, workflow, settings } = parts;
  const clientId = randomUUID();
  const { socket, hangUp } = await uncharged(openSocket(server, clientId, signal));
  const promptId = randomUUID();
  const previews = settings.previews === 'none' ? 0 : job.partialImages;
  const watch = new PromptWatch(socket, promptId, {
    outputNode: workflow.output,
    previews,
    hangUp,
  });
  leftovers.watch = watch;
  socket.send(JSON.stringify({ type: 'feature_flags', data: { supports_preview_metadata: true } }));
  leftovers.promptId = promptId;
  const previewMethod = previews > 0 ? settings.previews : 'none';
  const graph = runAnew(filled, workflow, promptId);
  const body = submitBody(job, { graph, promptId, clientId, previewMethod });
  try {
    leftovers.promptId = await server.submit(body, workflow, signal);
  } catch (error) {
    if (wasTurnedDown(error)) leftovers.promptId = null;
    throw error;
  }
  watch.follow(leftovers.promptId);
  return { watch, promptId: leftovers.promptId };
}

/** The server itself said no; what a proxy in between says leaves open whether it was queued. */
function wasTurnedDown(error: unknown): boolean {
  const status = error instanceof UpstreamError ? error.status : null;
  return status !== null && status >= 400 && status < 500;
}

/**
 * The socket outlives the attempt's signal: after a cancel it tells when the workflow has ended.
 */
async function openSocket(server: ComfyuiServer, clientId: string, signal: AbortSignal) {
  signal.throwIfAborted();
  const life = new AbortController();
  const hangUp = () => life.abort();
  signal.addEventListener('abort', hangUp, { once: true });
  try {
    return { socket: await server.openSocket(clientId, life.signal), hangUp };
  } finally {
    signal.removeEventListener('abort', hangUp);
  }
}

interface Submitted {
  graph: Graph;
  promptId: string;
  clientId: string;
  previewMethod: string;
}

/** The slots' own names, and what no addition of the operator may replace. */
const notForTheBody = [
  'negativePrompt',
  'seed',
  'width',
  'height',
  'steps',
  'cfg',
  'denoise',
  'nodes',
  'prompt',
  'prompt_id',
  'client_id',
];

function submitBody(
  { extra }: ImageJob,
  { graph, promptId, clientId, previewMethod }: Submitted,
): Record<string, unknown> {
  const added = Object.entries(extra).filter(([name]) => !notForTheBody.includes(name));
  const { extra_data: extraData, ...others } = Object.fromEntries(added);
  const operatorData = typeof extraData === 'object' ? extraData : {};
  return {
    prompt_id: promptId,
    client_id: clientId,
    prompt: graph,
    extra_data: { preview_method: previewMethod, ...operatorData },
    ...others,
  };
}

function finalOf(
  bytes: Buffer,
  promptId: string,
  warnings: readonly UpstreamWarning[],
): UpstreamEvent {
  return {
    kind: 'final',
    image: { encoding: 'raw', bytes },
    revisedPrompt: null,
    actual: { quality: null, background: null },
    tokens: null,
    upstreamRequestId: promptId,
    warnings,
  };
}
