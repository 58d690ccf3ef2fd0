/**
 * The calls of ComfyUI's API that we make, each once. Every address is the configured
 * server's own; what its answers name (files, prompts) is only ever put into a query or a body.
 */
import { randomBytes } from 'node:crypto';
import type { WebSocket } from 'undici';
import { z } from 'zod';
import type { GuardedHttp, OutgoingRequest } from '../../lib/outgoing/guarded-http.ts';
import type { OutgoingAnswer } from '../../lib/outgoing/outgoing-answer.ts';
import { UpstreamError } from '../upstream.ts';
import { ask, readBytes, readErrorBody, readJson, statedBy, upstreamErrors } from '../wire/ask.ts';
import { endpoint } from '../wire/endpoint.ts';
import { errorOfAnswer } from '../wire/faults.ts';
import { answerLimits } from '../wire/limits.ts';
import { authorizationOf } from './authorization.ts';
import { refusedPromptError } from './faults.ts';
import { type HistoryEntry, readHistory } from './history-entry.ts';
import { type ClassInfo, readClassInfo } from './node-classes.ts';
import type { SavedFile } from './saved-file.ts';
import { type UploadFile, uploadForm } from './upload-form.ts';
import type { Workflow } from './workflow.ts';

const statsAnswer = z.object({ system: z.record(z.string(), z.unknown()) });
const queueAnswer = z.object({ exec_info: z.object({ queue_remaining: z.int().nonnegative() }) });
const uploadAnswer = z.object({ name: z.string().regex(/^[\w][\w .()-]{0,199}$/) });
const submitAnswer = z.object({ prompt_id: z.string().regex(/^[\w-]{1,64}$/) });
/** `[number, prompt ID, …]` for each. */
const runningAnswer = z.object({
  queue_running: z.array(z.tuple([z.unknown(), z.string()], z.unknown())),
});

const readableName = /\.(?:png|jpe?g|webp)$/i;

export interface Connection {
  http: GuardedHttp;
  baseUrl: string;
  credential: string | null;
}

export class ComfyuiServer {
  readonly #http: GuardedHttp;
  readonly #baseUrl: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor({ http, baseUrl, credential }: Connection) {
    this.#http = http;
    this.#baseUrl = baseUrl;
    this.#headers = authorizationOf(credential);
  }

  /** Answers if the server does; costs it nothing. */
  async checkReachable(signal: AbortSignal): Promise<void> {
    const answer = await this.#get('/system_stats', signal);
    const said = await readJson(answer, answerLimits.listBytesMax);
    if (statsAnswer.safeParse(said).success) return;
    throw new UpstreamError('protocol', 'what answers is not ComfyUI');
  }

  /** How many workflows run or wait. */
  async queueRemaining(signal: AbortSignal): Promise<number> {
    const said = await readJson(await this.#get('/prompt', signal), answerLimits.errorBytesMax);
    const parsed = queueAnswer.safeParse(said);
    if (parsed.success) return parsed.data.exec_info.queue_remaining;
    throw new UpstreamError('protocol', 'the answer says nothing of a queue');
  }

  /** What the server knows of a node class; null when it has no such class. */
  async classInfo(name: string, signal: AbortSignal): Promise<ClassInfo | null> {
    const answer = await this.#get(`/object_info/${encodeURIComponent(name)}`, signal);
    return readClassInfo(await readJson(answer, answerLimits.listBytesMax), name);
  }

  /** The name under which the server keeps the picture. */
  async upload(file: UploadFile, signal: AbortSignal): Promise<string> {
    const { contentType, body } = uploadForm(file);
    const headers = { 'content-type': contentType };
    const answer = await this.#post('/upload/image', { headers, body }, signal);
    const parsed = uploadAnswer.safeParse(await readJson(answer, answerLimits.errorBytesMax));
    if (parsed.success) return parsed.data.name;
    throw new UpstreamError('protocol', 'the answer to an upload names no file');
  }

  openSocket(clientId: string, signal: AbortSignal): Promise<WebSocket> {
    const url = endpoint(this.#baseUrl, '/ws');
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    url.searchParams.set('clientId', clientId);
    return upstreamErrors(this.#http.openSocket(url, { headers: this.#headers, signal }), {
      wasAnswered: false,
    });
  }

  /** Queues a workflow. Gives the ID it goes by: older servers do not take ours. */
  async submit(
    body: Readonly<Record<string, unknown>>,
    workflow: Workflow,
    signal: AbortSignal,
  ): Promise<string> {
    const request = this.#request('POST', '/prompt', json(body));
    const answer = await upstreamErrors(this.#http.send(request, signal), { wasAnswered: false });
    if (answer.status === 400) throw refusedPromptError(await readRefusal(answer), workflow);
    if (answer.status !== 200) {
      throw errorOfAnswer({ ...answer, said: await readErrorBody(answer) });
    }
    const parsed = submitAnswer.safeParse(await readJson(answer, answerLimits.listBytesMax));
    if (parsed.success) return parsed.data.prompt_id;
    throw new UpstreamError('protocol', 'the server did not say that it queued the workflow', {
      ...statedBy(answer),
      possiblyCharged: true,
    });
  }

  /** Null while the workflow waits or runs. */
  async history(promptId: string, signal: AbortSignal): Promise<HistoryEntry | null> {
    const answer = await this.#get(`/history/${promptId}`, signal);
    return readHistory(await readJson(answer, answerLimits.listBytesMax), promptId);
  }

  async view(file: SavedFile, signal: AbortSignal): Promise<Buffer> {
    const query = new URLSearchParams({ ...file });
    // What we cannot read the server makes a PNG of, which has no alpha channel any more.
    if (!readableName.test(file.filename)) query.set('channel', 'rgb');
    const answer = await this.#get(`/view?${query.toString()}`, signal);
    return await readBytes(answer, answerLimits.pictureBytesMax);
  }

  /** Stops this workflow, wherever it is, and no other. */
  async cancel(promptId: string, signal: AbortSignal): Promise<void> {
    const path = `/api/jobs/${promptId}/cancel`;
    const answer = await this.#http.send(this.#request('POST', path, json({})), signal);
    answer.discard();
    if (answer.status === 404 || answer.status === 405) {
      await this.#cancelAtOlderServer(promptId, signal);
    }
  }

  /** The oldest interrupt whatever runs, so ours has to be what runs. */
  async #cancelAtOlderServer(promptId: string, signal: AbortSignal): Promise<void> {
    const dequeued = await this.#post('/queue', json({ delete: [promptId] }), signal);
    dequeued.discard();
    const queue = await readJson(await this.#get('/queue', signal), answerLimits.listBytesMax);
    const running = runningAnswer.safeParse(queue);
    if (!running.success || !running.data.queue_running.some(([, id]) => id === promptId)) return;
    const interrupted = await this.#post('/interrupt', json({ prompt_id: promptId }), signal);
    interrupted.discard();
  }

  /** Takes the workflow, and with it the prompt, out of the server's history. */
  async forget(promptId: string, signal: AbortSignal): Promise<void> {
    const answer = await this.#post('/history', json({ delete: [promptId] }), signal);
    answer.discard();
  }

  #get(path: string, signal: AbortSignal): Promise<OutgoingAnswer> {
    return ask(this.#http, this.#request('GET', path), { signal });
  }

  #post(
    path: string,
    content: Pick<OutgoingRequest, 'headers' | 'body'>,
    signal: AbortSignal,
  ): Promise<OutgoingAnswer> {
    return ask(this.#http, this.#request('POST', path, content), { signal });
  }

  #request(
    method: 'GET' | 'POST',
    path: string,
    content: Pick<OutgoingRequest, 'headers' | 'body'> = {},
  ): OutgoingRequest {
    const headers = { ...this.#headers, ...content.headers };
    return { ...content, method, url: endpoint(this.#baseUrl, path), headers };
  }
}

function json(value: unknown): Pick<OutgoingRequest, 'headers' | 'body'> {
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) };
}

/** It lists what could have been chosen instead, so it is longer than other errors. */
async function readRefusal(answer: OutgoingAnswer): Promise<unknown> {
  try {
    return await readJson(answer, answerLimits.listBytesMax);
  } catch (error) {
    if (error instanceof UpstreamError) return null;
    throw error;
  }
}

/** Nobody who shares the server can guess it, and so ask for the picture. */
export function unguessableName(): string {
  return randomBytes(16).toString('hex');
}
