import type { WebSocket } from 'undici';
import type { Clock } from '../../lib/clock.ts';
import { sniffFormat } from '../../lib/pictures/sniff-format.ts';
import { UpstreamError } from '../upstream.ts';
import { answerLimits } from '../wire/limits.ts';
import { executionError } from './faults.ts';
import { type Frame, readBinaryFrame, readTextFrame } from './frames.ts';
import { comfyuiLimits as limits } from './limits.ts';
import type { SavedFile } from './saved-file.ts';

export type News =
  /** So many workflows come before ours, or fewer. */
  | { kind: 'queued'; behind: number }
  | { kind: 'preview'; bytes: Buffer }
  /** From the output node, over the socket. */
  | { kind: 'picture'; bytes: Buffer }
  /** From the output node, to the server's disk. */
  | { kind: 'saved'; files: readonly SavedFile[] }
  | { kind: 'failed'; error: UpstreamError }
  | { kind: 'ended' }
  | { kind: 'lost' };

type PromptFrame = Exclude<Frame, { kind: 'queue' }>;

export interface WatchOptions {
  outputNode: string;
  /** How many previews are wanted; they are spread over the work. */
  previews: number;
  /** Ends the socket without a farewell: a server that is stuck would not return it. */
  hangUp: () => void;
}

/**
 * Follows one prompt over the socket. Frames are read as they come and kept only if somebody will
 * want them, so that a talkative server fills no memory: at most the previews, one picture or what may
 * turn out to be it, one end.
 */
export class PromptWatch {
  readonly #socket: WebSocket;
  readonly #options: WatchOptions;
  readonly #news: News[] = [];
  readonly #ended = Promise.withResolvers<void>();
  #promptId: string;
  /** What came about other prompts before the server said what it calls ours; null since then. */
  #early: PromptFrame[] | null = [];
  #earlyBytes = 0;
  #wake: () => void = () => {};
  #node: string | null = null;
  #share: number | null = null;
  #hasPicture = false;
  /** The last JPEG from the output node, which is the result if nothing else is. */
  #draft: Buffer | null = null;
  #hasFailed = false;
  #hasEnded = false;
  /** How many were told. */
  previews = 0;
  /** Of all frames, whomever they are about: a sign of life. */
  frames = 0;
  hasStarted = false;
  hasSucceeded = false;
  /** Workflows in the queue, ours included, as the server said last. */
  queueRemaining: number | null = null;
  #behind = Number.POSITIVE_INFINITY;

  /** @param promptId the one that we ask for */
  constructor(socket: WebSocket, promptId: string, options: WatchOptions) {
    this.#socket = socket;
    this.#promptId = promptId;
    this.#options = options;
    socket.binaryType = 'arraybuffer';
    socket.addEventListener('message', ({ data }) => this.#hear(data));
    socket.addEventListener('close', () => this.#lose());
    if (this.isLost) this.#lose();
  }

  /** The server has named the prompt: older ones choose the ID themselves. */
  follow(promptId: string): void {
    this.#promptId = promptId;
    const early = this.#early ?? [];
    this.#early = null;
    for (const frame of early) this.#take(frame);
    // The server tells of the longer queue before it answers.
    if (this.queueRemaining !== null) this.#hearOfQueue(this.queueRemaining);
  }

  /** Whether nothing is left to cancel. */
  get isDone(): boolean {
    return this.hasSucceeded || this.#hasFailed || this.#hasEnded;
  }

  get isLost(): boolean {
    return this.#socket.readyState !== this.#socket.OPEN;
  }

  /** The next news, or null after so long without. */
  async next(ms: number, { clock, signal }: { clock: Clock; signal: AbortSignal }) {
    signal.throwIfAborted();
    const arrived = new AbortController();
    if (this.#news.length === 0) {
      this.#wake = () => arrived.abort();
      // Ends by time, by news or by the signal; the last is looked at below.
      await clock.sleep(ms, AbortSignal.any([signal, arrived.signal])).catch(() => {});
      this.#wake = () => {};
    }
    signal.throwIfAborted();
    return this.#news.shift() ?? null;
  }

  /** Resolves when the server has put the prompt away, or when we cannot know any more. */
  untilEnded(): Promise<void> {
    return this.#ended.promise;
  }

  close(): void {
    this.#options.hangUp();
  }

  #hear(data: unknown): void {
    this.frames++;
    if (this.frames > limits.framesMax) return this.#refuseMore();
    const frame = typeof data === 'string' ? readTextFrame(data) : readBytes(data);
    if (frame?.kind === 'queue') this.#hearOfQueue(frame.remaining);
    else if (frame) this.#take(frame);
  }

  /**
   * The server counts those behind ours too, so what it says is the most that can be before us; and
   * as nobody gets before us later, it is never more than it was.
   */
  #hearOfQueue(remaining: number): void {
    this.queueRemaining = remaining;
    if (this.hasStarted || this.#early !== null) return;
    const behind = Math.max(0, remaining - 1);
    const isFirst = this.#behind === Number.POSITIVE_INFINITY;
    if (behind >= this.#behind || (isFirst && behind === 0)) return;
    this.#behind = behind;
    this.#tell({ kind: 'queued', behind });
  }

  #take(frame: PromptFrame): void {
    // A picture without an ID is ours, because the server sends it to who asked for it only.
    if (frame.promptId !== null && frame.promptId !== this.#promptId) return this.#hold(frame);
    if (frame.kind !== 'interrupted' && frame.kind !== 'failed') this.hasStarted = true;
    switch (frame.kind) {
      case 'started':
        break;
      case 'executing':
        this.#node = frame.node;
        break;
      case 'progress':
        this.#share = frame.share;
        break;
      case 'picture':
        this.#takePicture(frame.bytes, frame.nodes);
        break;
      case 'saved':
        if (frame.node === this.#options.outputNode && frame.files.length > 0) {
          this.#deliver({ kind: 'saved', files: frame.files });
        }
        break;
      case 'succeeded':
        this.hasSucceeded = true;
        this.#deliverDraft();
        this.#wake();
        break;
      case 'failed':
        this.#fail(executionError(frame.error, frame.promptId));
        break;
      case 'interrupted':
        this.#fail(
          new UpstreamError('unavailable', 'the workflow was interrupted by somebody else'),
        );
        break;
      case 'ended':
        this.#end();
    }
  }

  #hold(frame: PromptFrame): void {
    if (!this.#early || this.#early.length === limits.earlyFramesMax) return;
    this.#earlyBytes += frame.kind === 'picture' ? frame.bytes.length : 0;
    if (this.#earlyBytes <= answerLimits.pictureBytesMax) this.#early.push(frame);
  }

  #takePicture(bytes: Buffer, nodes: readonly string[]): void {
    const format = sniffFormat({ encoding: 'raw', bytes });
    if (format === null) return;
    const { outputNode } = this.#options;
    const isOutput = nodes.length > 0 ? nodes.includes(outputNode) : this.#node === outputNode;
    // A node that samples and saves sends previews too, and those are JPEGs.
    if (isOutput && format === 'jpeg') this.#draft = bytes;
    if (isOutput && format !== 'jpeg') this.#deliver({ kind: 'picture', bytes });
    else if (this.#isPreviewDue()) {
      this.previews++;
      this.#tell({ kind: 'preview', bytes });
    }
  }

  /** With two wanted, one at a third of the work and one at two thirds, as far as that is known. */
  #isPreviewDue(): boolean {
    const { previews } = this.#options;
    if (this.previews >= previews || this.#hasPicture) return false;
    return this.#share === null || this.#share >= (this.previews + 1) / (previews + 1);
  }

  /** The first picture counts; a batch has more. */
  #deliver(news: News): void {
    if (this.#hasPicture) return;
    this.#hasPicture = true;
    this.#draft = null;
    this.#tell(news);
  }

  #deliverDraft(): void {
    if (this.#draft) this.#deliver({ kind: 'picture', bytes: this.#draft });
  }

  #fail(error: UpstreamError): void {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    this.#tell({ kind: 'failed', error });
  }

  #end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    if (!this.#hasFailed) this.#deliverDraft();
    this.#ended.resolve();
    this.#tell({ kind: 'ended' });
  }

  #lose(): void {
    this.#ended.resolve();
    this.#tell({ kind: 'lost' });
  }

  #refuseMore(): void {
    if (this.isLost) return;
    const message = `over ${limits.framesMax} messages for one workflow`;
    this.#tell({ kind: 'failed', error: new UpstreamError('protocol', message) });
    this.close();
  }

  #tell(news: News): void {
    this.#news.push(news);
    this.#wake();
  }
}

function readBytes(data: unknown): Frame | null {
  return data instanceof ArrayBuffer ? readBinaryFrame(Buffer.from(data)) : null;
}
