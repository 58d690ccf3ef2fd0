/** Follows a queued workflow until its picture is here. */
import type { Clock } from '../../lib/clock.ts';
import { sniffFormat } from '../../lib/pictures/sniff-format.ts';
import { UpstreamError, type UpstreamEvent } from '../upstream.ts';
import { withoutFileText } from '../wire/engine-text.ts';
import { insist, ofTakenJob, UnreadableAnswer } from '../wire/insist.ts';
import type { ComfyuiServer } from './comfyui-server.ts';
import type { Leftovers } from './leftovers.ts';
import { comfyuiLimits as limits } from './limits.ts';
import { socketOutputClass } from './output-node.ts';
import type { PromptWatch } from './prompt-watch.ts';
import type { SavedFile } from './saved-file.ts';
import type { ComfyuiSettings } from './settings.ts';
import type { Workflow } from './workflow.ts';

export interface Following {
  watch: PromptWatch;
  promptId: string;
  leftovers: Leftovers;
  clock: Clock;
  signal: AbortSignal;
}

interface Parts {
  server: ComfyuiServer;
  workflow: Workflow;
  settings: ComfyuiSettings;
}

/** Its events are the place in the queue and the partial images; its result is the picture. */
export async function* followPrompt(
  following: Following,
  parts: Parts,
): AsyncGenerator<UpstreamEvent, Buffer, void> {
  const { watch, clock } = following;
  const patience = new Patience(following, parts.settings);
  let partials = 0;
  for (;;) {
    const news = await watch.next(patience.nextMs(), following);
    switch (news?.kind) {
      case 'queued':
        yield news;
        break;
      case 'preview':
        yield { kind: 'partial', index: partials++, image: { encoding: 'raw', bytes: news.bytes } };
        break;
      case 'picture':
        return news.bytes;
      case 'saved':
        return await fetchSaved(news.files, following, parts);
      case 'failed':
        throw news.error;
      case 'ended':
        return await fetchEnded(following, parts);
      case 'lost':
        return await pollHistory(following, parts);
      case undefined: {
        const picture = await fromHistory(following, parts);
        if (picture) return picture;
        patience.spend(clock.monotonic());
      }
    }
  }
}

/** How long silence is borne: in the queue, at work, and after the work. */
class Patience {
  readonly #watch: PromptWatch;
  readonly #promptId: string;
  readonly #clock: Clock;
  readonly #startsByMs: number;
  #silentChecks = 0;
  #frames = 0;

  constructor({ watch, promptId, clock }: Following, { queueSecondsMax }: ComfyuiSettings) {
    this.#watch = watch;
    this.#promptId = promptId;
    this.#clock = clock;
    this.#startsByMs = clock.monotonic() + queueSecondsMax * 1000;
  }

  nextMs(): number {
    if (this.#watch.hasSucceeded) return limits.endingMs;
    if (this.#watch.hasStarted) return limits.silenceMs;
    const waitMs = this.#startsByMs - this.#clock.monotonic();
    return Math.max(1, Math.min(limits.silenceMs, waitMs));
  }

  /** After a look at the history that found nothing. */
  spend(nowMs: number): void {
    const upstreamRequestId = this.#promptId;
    const { frames, hasStarted, queueRemaining } = this.#watch;
    this.#silentChecks = frames === this.#frames ? this.#silentChecks + 1 : 0;
    this.#frames = frames;
    if (!hasStarted && nowMs >= this.#startsByMs) {
      const queue = queueRemaining === null ? '' : ` of ${queueRemaining} workflows`;
      const message = `the workflow did not leave the queue${queue} in time`;
      throw new UpstreamError('busy', message, { upstreamRequestId });
    }
    if (this.#silentChecks <= this.#checksMax) return;
    throw new UpstreamError('timeout', 'nothing was heard of the workflow', {
      upstreamRequestId,
      possiblyCharged: true,
    });
  }

  get #checksMax(): number {
    return this.#watch.hasSucceeded ? limits.endingChecksMax : limits.silentChecksMax;
  }
}

/** The workflow ended and no message told of a picture, as when every node was cached. */
async function fetchEnded(following: Following, parts: Parts): Promise<Buffer> {
  const picture = await fromHistory(following, parts);
  if (picture) return picture;
  throw noPicture(following);
}

/**
 * The socket is gone, and with it the picture, unless a node saves it. If it does, the history will
 * tell; a server that has gone too ends this with its own trouble.
 */
async function pollHistory(following: Following, parts: Parts): Promise<Buffer> {
  const { clock, signal, promptId } = following;
  const { graph, output } = parts.workflow;
  const lost = new UpstreamError('unavailable', 'the connection to the server was lost', {
    upstreamRequestId: promptId,
    possiblyCharged: true,
  });
  if (graph[output]?.class_type === socketOutputClass) throw lost;
  for (let poll = 0; poll < limits.pollsMax; poll++) {
    const picture = await fromHistory(following, parts);
    if (picture) return picture;
    await clock.sleep(limits.pollMs, signal);
  }
  throw lost;
}

/** Null while the history does not have the workflow. */
async function fromHistory(following: Following, parts: Parts): Promise<Buffer | null> {
  const { promptId, signal } = following;
  const entry = await askOfJob(() => parts.server.history(promptId, signal), following);
  if (!entry) return null;
  if (entry.error) throw entry.error;
  const files = entry.saved.get(parts.workflow.output) ?? [];
  if (files.length === 0) throw noPicture(following);
  return await fetchSaved(files, following, parts);
}

async function fetchSaved(
  files: readonly SavedFile[],
  following: Following,
  { server }: Parts,
): Promise<Buffer> {
  const { leftovers, signal } = following;
  leftovers.files.push(...files);
  leftovers.isDelivered = true;
  const [first] = files;
  if (!first) throw noPicture(following);
  return await askOfJob(async () => {
    const bytes = await server.view(first, signal);
    if (sniffFormat({ encoding: 'raw', bytes }) !== null) return withoutFileText(bytes);
    throw noPicture(following, new UnreadableAnswer('the file is in no known format'));
  }, following);
}

/** The workflow goes on, or has made its picture, whatever a question about it meets with. */
async function askOfJob<T>(question: () => Promise<T>, following: Following): Promise<T> {
  try {
    return await insist(question, following);
  } catch (error) {
    throw error instanceof UpstreamError ? ofTakenJob(error, following.promptId) : error;
  }
}

function noPicture({ promptId }: Following, cause?: Error): UpstreamError {
  return new UpstreamError('protocol', 'the workflow gave no picture', {
    upstreamRequestId: promptId,
    possiblyCharged: true,
    cause,
  });
}
