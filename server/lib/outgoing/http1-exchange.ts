/** One request on a connection, and its answer. */
import type { Socket } from 'node:net';
import { Http1Answer } from './http1-answer.ts';
import { Http1Body } from './http1-body.ts';
import {
  BrokenHttpError,
  endOfHead,
  type Http1Head,
  headBytesMax,
  readHead,
} from './http1-head.ts';
import { type Http1Request, Http1RequestWriter } from './http1-request-writer.ts';
import type { OutgoingAnswer } from './outgoing-answer.ts';
import { codeSuffixOf, OutgoingError } from './outgoing-error.ts';

export interface ExchangeOptions {
  socket: Socket;
  request: Http1Request;
  signal: AbortSignal;
  /** From the last byte of the request to the first of the answer. */
  firstByteMs: number;
  /** Longest silence within the answer. */
  idleMs: number;
  /** Called once; a head when the connection may carry another request. */
  onEnd: (head: Http1Head | null) => void;
}

/**
 * How many more pieces of an answer of which nobody wants the rest may come, and how long each may take: a second in
 * all. Mostly it is just the mark of the body's end, and to wait for that costs less than a new connection for the next
 * request.
 */
const lastPiecesMax = 4;
const lastPieceMs = 250;

export class Http1Exchange {
  readonly #options: ExchangeOptions;
  readonly #writer: Http1RequestWriter;
  readonly #answered = Promise.withResolvers<OutgoingAnswer>();
  /** What has come of a head that is not whole; null behind it. */
  #begun: Buffer | null = nothing;
  #headBytes = 0;
  #head: Http1Head | null = null;
  #body = new Http1Body({ kind: 'none' });
  #answer: Http1Answer | null = null;
  /** Pieces that may come until the connection is closed; any number while somebody reads the answer. */
  #piecesLeft = Number.POSITIVE_INFINITY;
  #isSent = false;
  #isHeard = false;
  #isOver = false;

  constructor(options: ExchangeOptions) {
    this.#options = options;
    this.#writer = new Http1RequestWriter({
      socket: options.socket,
      request: options.request,
      onSent: () => {
        this.#isSent = true;
      },
      onFailed: (error) => this.fail(error),
    });
  }

  /** Rejects with an OutgoingError or the signal's reason. */
  start(): Promise<OutgoingAnswer> {
    const { signal, socket, firstByteMs } = this.#options;
    if (signal.aborted) {
      this.#stop();
      return this.#answered.promise;
    }
    signal.addEventListener('abort', this.#stop, { once: true });
    socket.setTimeout(firstByteMs);
    this.#writer.start();
    return this.#answered.promise;
  }

  /** The connection brought something. It is looked at here and now: its memory is used again. */
  receive(bytes: Buffer): void {
    this.#isHeard = true;
    try {
      const from = this.#begun ? this.#receiveHead(this.#begun, bytes) : { bytes, at: 0 };
      if (from) this.#receiveBody(from.bytes, from.at);
    } catch (error) {
      this.fail(error);
    }
  }

  /** The service sends nothing more. */
  end(): void {
    if (this.#isOver) return;
    if (this.#head && this.#body.end()) this.#finish({ isClean: false });
    else this.fail(null);
  }

  /** Nothing came for as long as may be. */
  timeOut(): void {
    const isBegun = this.#head !== null;
    const words = isBegun ? 'the answer fell silent' : 'no answer in time';
    this.fail(new OutgoingError('slow', words, { isUnsent: this.#isUnsent }));
  }

  /** @param error why the connection is of no more use; null where nothing says why */
  fail(error: unknown): void {
    if (this.#isOver) return;
    const failure = inOurWords(error, { isUnsent: this.#isUnsent });
    this.#leave();
    this.#answered.reject(failure);
    this.#answer?.fail(failure);
    this.#options.signal.removeEventListener('abort', this.#stop);
  }

  /** Whether the service cannot have had the request whole; whoever has said anything may have. */
  get #isUnsent(): boolean {
    return !this.#isHeard && !this.#writer.isHandedOver;
  }

  /** The caller stops it, at whatever moment. */
  readonly #stop = (): void => {
    const reason: unknown = this.#options.signal.reason;
    if (!this.#isOver) this.#leave();
    this.#answered.reject(reason);
    this.#answer?.stop(reason);
  };

  #receiveHead(begun: Buffer, bytes: Buffer): { bytes: Buffer; at: number } | null {
    const whole = begun.length === 0 ? bytes : Buffer.concat([begun, bytes]);
    let at = 0;
    for (;;) {
      const end = endOfHead(whole, at);
      const headBytes = this.#headBytes + (end ?? whole.length) - at;
      if (headBytes > headBytesMax) throw tooLarge();
      if (end === null) {
        this.#begun = Buffer.from(whole.subarray(at));
        return null;
      }
      const head = readHead(whole.subarray(at, end), this.#options.request.method);
      at = end;
      this.#headBytes = headBytes;
      if (head.status >= 200) {
        this.#begin(head);
        return { bytes: whole, at };
      }
      // A switch of protocols nobody asked for; the others say that the service is at work.
      if (head.status === 101) throw new BrokenHttpError('another protocol');
    }
  }

  #begin(head: Http1Head): void {
    const { socket, idleMs } = this.#options;
    this.#begun = null;
    this.#head = head;
    this.#body = new Http1Body(head.framing);
    socket.setTimeout(idleMs);
    const answer = new Http1Answer({
      pause: () => {
        socket.pause();
        socket.setTimeout(0);
      },
      resume: () => {
        socket.setTimeout(idleMs);
        socket.resume();
      },
      leave: () => this.#leaveAnswer(),
      letEnd: () => this.#letAnswerEnd(),
      consumed: () => this.#options.signal.removeEventListener('abort', this.#stop),
    });
    this.#answer = answer;
    const { status, headers } = head;
    this.#answered.resolve({ status, headers, body: answer, discard: () => answer.discard() });
  }

  #receiveBody(bytes: Buffer, from: number): void {
    if (this.#piecesLeft-- === 0) {
      this.#leave();
      return;
    }
    const stoppedAt = this.#body.read(bytes, from, (piece) => this.#answer?.receive(piece));
    if (this.#body.isDone) this.#finish({ isClean: stoppedAt === bytes.length });
  }

  #finish({ isClean }: { isClean: boolean }): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#writer.stop();
    const mayGoOn = isClean && this.#isSent && (this.#head?.keepsAlive ?? false);
    this.#options.onEnd(mayGoOn ? this.#head : null);
    this.#answer?.finish();
  }

  /** What is left of the answer is of no interest to anybody. */
  #leaveAnswer(): void {
    this.#options.signal.removeEventListener('abort', this.#stop);
    if (!this.#isOver) this.#leave();
  }

  #letAnswerEnd(): void {
    const { signal, socket } = this.#options;
    signal.removeEventListener('abort', this.#stop);
    if (this.#isOver) return;
    if (!this.#isSent) {
      // The rest of the request would go on for as long as the service takes it.
      this.#leave();
      return;
    }
    this.#piecesLeft = lastPiecesMax;
    socket.setTimeout(lastPieceMs);
    socket.resume();
  }

  #leave(): void {
    this.#isOver = true;
    this.#writer.stop();
    this.#options.onEnd(null);
  }
}

const nothing = Buffer.alloc(0);

function tooLarge(): OutgoingError {
  return new OutgoingError('too_large', 'the headers of the answer are too large');
}

/** What a service sends is not quoted: an answer that is none is a connection that ended. */
function inOurWords(error: unknown, { isUnsent }: { isUnsent: boolean }): OutgoingError {
  if (error instanceof OutgoingError) return error;
  const suffix = error instanceof BrokenHttpError ? '' : codeSuffixOf(error);
  return new OutgoingError('cut', `the connection ended early${suffix}`, { isUnsent });
}
