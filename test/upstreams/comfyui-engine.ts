/**
 * A ComfyUI without a GPU: its queue, history, files and sockets behave like the real ones; what a
 * workflow does while it runs, a test says.
 */
import type { Server } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import { makePicture } from '../support/pictures.ts';
import { type EngineGraph, objectInfo, refusalOf } from './comfyui-nodes.ts';
import type { FakeAnswer, SeenRequest } from './contract-subject.ts';

export interface EnginePrompt {
  id: string;
  clientId: string;
  graph: EngineGraph;
  extraData: Readonly<Record<string, unknown>>;
}

interface HistoryEntry {
  prompt: EngineGraph;
  outputs: Record<string, unknown>;
  status: { status_str: string; completed: boolean; messages: [string, unknown][] };
}

export interface EngineOptions {
  /** What a workflow does once it runs. */
  work: (run: EngineRun) => void;
  /** From before prompts had IDs of the client's choice, and jobs could be canceled by address. */
  isOlder?: boolean;
  /** Whether the next workflow in the queue runs at once. */
  isRunning?: boolean;
}

/** What it makes of the colours of a file: a PNG without an alpha channel. */
const redrawn = await makePicture('png');

export class ComfyuiEngine {
  readonly options: EngineOptions;
  /** The newest prompt, as it was sent. */
  prompt: EnginePrompt | null = null;
  readonly history = new Map<string, HistoryEntry>();
  /** By `type/subfolder/name`. */
  readonly files = new Map<string, Buffer>();
  readonly pending: EnginePrompt[] = [];
  running: EngineRun | null = null;
  /** Text messages of clients, by client ID. */
  readonly heard: { clientId: string; message: unknown }[] = [];
  readonly #sockets = new Map<string, WebSocket>();
  #made = 0;

  constructor(options: EngineOptions) {
    this.options = options;
  }

  attach(server: Server): void {
    const sockets = new WebSocketServer({ server, path: '/ws' });
    sockets.on('connection', (socket, request) => {
      const clientId =
        new URL(request.url ?? '', 'http://engine').searchParams.get('clientId') ?? '';
      this.#sockets.set(clientId, socket);
      socket.on('close', () => this.#sockets.delete(clientId));
      socket.on('error', () => {});
      socket.on('message', (data: Buffer) => {
        this.heard.push({ clientId, message: JSON.parse(data.toString('utf8')) });
      });
      this.#send(clientId, 'status', { status: this.#queueInfo(), sid: clientId });
    });
  }

  get openSockets(): number {
    return this.#sockets.size;
  }

  send(clientId: string, frame: string | Buffer): void {
    this.#sockets.get(clientId)?.send(frame);
  }

  /** Cuts every connection, as when a proxy in between is restarted. */
  dropSockets(): void {
    for (const socket of this.#sockets.values()) socket.terminate();
  }

  answer({ method, path, body, headers }: SeenRequest): FakeAnswer {
    const url = new URL(path, 'http://engine');
    const route = `${method} ${url.pathname}`;
    const [, promptId] = /\/(?:history|api\/jobs)\/([\w-]+)/.exec(url.pathname) ?? [];
    switch (route) {
      case 'GET /system_stats':
        return json({ system: { comfyui_version: '0.3.75' }, devices: [] });
      case 'GET /prompt':
        return json(this.#queueInfo());
      case 'GET /queue':
        return json(this.#queue());
      case 'POST /prompt':
        return this.#submit(read(body));
      case 'POST /queue':
        this.#dequeue(deletedIn(body));
        return plain(200);
      case 'POST /interrupt':
        // The oldest do not read the body: whatever runs is interrupted.
        this.running?.interrupt();
        return plain(200);
      case 'POST /history':
        for (const id of deletedIn(body)) this.history.delete(id);
        return plain(200);
      case 'POST /upload/image':
        return this.#upload(body, headers['content-type'] ?? '');
      case 'GET /view':
        return this.#view(url.searchParams);
      default:
    }
    if (route.startsWith('GET /object_info/'))
      return json(objectInfo(url.pathname.split('/')[2] ?? ''));
    if (promptId === undefined) return plain(404);
    if (route === `GET /history/${promptId}`) {
      const entry = this.history.get(promptId);
      return json(entry ? { [promptId]: entry } : {});
    }
    const isCancel = route === `POST /api/jobs/${promptId}/cancel`;
    return isCancel && !this.options.isOlder ? this.#cancel(promptId) : plain(404);
  }

  /** Lets the first of the queue run. */
  runNext(): void {
    const prompt = this.pending.shift();
    if (!prompt) return;
    const run = new EngineRun(this, prompt);
    this.running = run;
    run.say('execution_start', {});
    this.options.work(run);
  }

  /** To everybody. */
  broadcast(type: string, data: unknown): void {
    for (const clientId of this.#sockets.keys()) this.#send(clientId, type, data);
  }

  #queueInfo() {
    return { exec_info: { queue_remaining: this.pending.length + (this.running ? 1 : 0) } };
  }

  #queue() {
    const item = ({ id, graph }: EnginePrompt) => [1, id, graph, {}, []];
    return {
      queue_running: this.running ? [item(this.running.prompt)] : [],
      queue_pending: this.pending.map(item),
    };
  }

  #submit(sent: Record<string, unknown>): FakeAnswer {
    // The adapter sends what it was given, checked.
    const graph = sent['prompt'] as EngineGraph;
    const refusal = refusalOf(graph, (file) => this.files.has(file));
    if (refusal) return json(refusal, 400);
    const id = this.options.isOlder
      ? `00000000-0000-4000-8000-00000000000${++this.#made}`
      : String(sent['prompt_id']);
    this.prompt = {
      id,
      clientId: String(sent['client_id']),
      graph,
      extraData: sent['extra_data'] as EnginePrompt['extraData'],
    };
    this.pending.push(this.prompt);
    this.broadcast('status', { status: this.#queueInfo() });
    if (this.options.isRunning !== false && !this.running) setImmediate(() => this.runNext());
    return json({ prompt_id: id, number: 3, node_errors: {} });
  }

  #dequeue(ids: readonly string[]): boolean {
    const at = this.pending.findIndex(({ id }) => ids.includes(id));
    if (at === -1) return false;
    this.pending.splice(at, 1);
    return true;
  }

  #cancel(promptId: string): FakeAnswer {
    const isRunning = this.running?.prompt.id === promptId;
    if (isRunning) this.running?.interrupt();
    return json({ cancelled: isRunning || this.#dequeue([promptId]) });
  }

  #upload(body: Buffer, contentType: string): FakeAnswer {
    const { fields, file } = readForm(body, contentType);
    const { type = 'input', subfolder = '' } = fields;
    const key = `${type}/${subfolder}/${file.name}`;
    if (this.files.has(key) && fields['overwrite'] !== 'true') return plain(409);
    this.files.set(key, file.bytes);
    return json({ name: file.name, subfolder, type });
  }

  #view(query: URLSearchParams): FakeAnswer {
    const { filename, subfolder, type } = Object.fromEntries(query);
    const file = this.files.get(`${type}/${subfolder}/${filename}`);
    const bytes = query.get('channel') === 'rgb' ? file && redrawn : file;
    return bytes ? { status: 200, headers: {}, body: [bytes] } : plain(404);
  }

  #send(clientId: string, type: string, data: unknown): void {
    this.send(clientId, JSON.stringify({ type, data }));
  }
}

/** A workflow at work: what its nodes tell, and how it ends. */
export class EngineRun {
  readonly prompt: EnginePrompt;
  readonly #engine: ComfyuiEngine;
  readonly #outputs: Record<string, unknown> = {};

  constructor(engine: ComfyuiEngine, prompt: EnginePrompt) {
    this.#engine = engine;
    this.prompt = prompt;
  }

  /** What a node finds on the disk. */
  fileAt(path: string): Buffer | null {
    return this.#engine.files.get(path) ?? null;
  }

  say(type: string, data: Readonly<Record<string, unknown>>): void {
    const { id, clientId } = this.prompt;
    this.#engine.send(clientId, JSON.stringify({ type, data: { prompt_id: id, ...data } }));
  }

  execute(node: string): void {
    this.say('executing', { node, display_node: node });
  }

  /** A step of a sampler, with what it has so far: as clients get it that know of metadata. */
  preview(node: string, image: Buffer, { value, max }: { value: number; max: number }): void {
    const nodes = { [node]: { value, max, state: 'running', node_id: node } };
    this.say('progress_state', { nodes });
    this.sendPicture(node, image);
    this.say('progress', { node, value, max });
  }

  sendPicture(node: string, image: Buffer): void {
    const { id, clientId } = this.prompt;
    const said = { node_id: node, prompt_id: id, display_node_id: node, real_node_id: node };
    const metadata = Buffer.from(JSON.stringify({ ...said, image_type: 'image/png' }));
    this.#engine.send(clientId, Buffer.concat([words(4, metadata.length), metadata, image]));
  }

  /** As clients get it that know nothing of metadata. */
  sendPlainPicture(image: Buffer): void {
    this.#engine.send(this.prompt.clientId, Buffer.concat([words(1, 2), image]));
  }

  save(node: string, image: Buffer, format = 'png'): void {
    const name = `ComfyUI_${String(this.#engine.files.size).padStart(5, '0')}_.${format}`;
    this.#engine.files.set(`output//${name}`, image);
    this.#outputs[node] = { images: [{ filename: name, subfolder: '', type: 'output' }] };
    this.say('executed', { node, display_node: node, output: this.#outputs[node] });
  }

  succeed(): void {
    this.say('execution_success', {});
    this.#end([['execution_success', {}]], true);
  }

  fail(type: string, message: string): void {
    const error = { exception_type: type, exception_message: message, node_id: '3' };
    this.say('execution_error', error);
    this.#end([['execution_error', error]], false);
  }

  interrupt(): void {
    this.#engine.broadcast('execution_interrupted', { prompt_id: this.prompt.id, node_id: '3' });
    this.#end([['execution_interrupted', {}]], false);
  }

  #end(messages: [string, unknown][], completed: boolean): void {
    this.#engine.history.set(this.prompt.id, {
      prompt: this.prompt.graph,
      outputs: this.#outputs,
      status: { status_str: completed ? 'success' : 'error', completed, messages },
    });
    this.#engine.running = null;
    this.say('executing', { node: null });
  }
}

function words(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, 4 * index);
  return bytes;
}

function read(body: Buffer): Record<string, unknown> {
  // Every body of the protocol that is read here is an object.
  return JSON.parse(body.toString('utf8')) as Record<string, unknown>;
}

function deletedIn(body: Buffer): string[] {
  const ids = read(body)['delete'];
  return Array.isArray(ids) ? ids.map(String) : [];
}

interface UploadedForm {
  fields: Record<string, string>;
  file: { name: string; bytes: Buffer };
}

function readForm(body: Buffer, contentType: string): UploadedForm {
  const boundary = /boundary=(.+)$/.exec(contentType)?.[1] ?? '';
  const form: UploadedForm = { fields: {}, file: { name: '', bytes: Buffer.alloc(0) } };
  // Latin-1 keeps every byte of the picture.
  for (const part of body.toString('latin1').split(`--${boundary}`).slice(1, -1)) {
    const [head = '', ...rest] = part.split('\r\n\r\n');
    const content = rest.join('\r\n\r\n').slice(0, -2);
    const [, name = ''] = / name="([^"]*)"/.exec(head) ?? [];
    const [, filename] = / filename="([^"]*)"/.exec(head) ?? [];
    if (filename === undefined) form.fields[name] = content;
    else form.file = { name: filename, bytes: Buffer.from(content, 'latin1') };
  }
  return form;
}

function json(value: unknown, status = 200): FakeAnswer {
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  return { status, headers, body: [Buffer.from(JSON.stringify(value))] };
}

function plain(status: number): FakeAnswer {
  const headers = { 'content-type': 'text/plain; charset=utf-8' };
  return { status, headers, body: [Buffer.from(status === 404 ? '404: Not Found' : '')] };
}
