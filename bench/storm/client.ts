/** One request of one client, whose answer it takes or leaves in an exact phase. */
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { type HeldAnswer, readErrorCode, readPlainAnswer, StreamReader } from './answer-reader.ts';
import type { Life } from './life.ts';
import type { Manner } from './plan-errands.ts';
import type { ServerProcess } from './server-process.ts';

export interface Sending {
  server: ServerProcess;
  path: string;
  headers: Readonly<Record<string, string>>;
  body: Buffer;
  manner: Manner;
}

/** What became of one request, as its client saw it. */
export interface Try {
  /** The process it went to. */
  life: Life;
  startedAt: number;
  endedAt: number;
  /**
   * `answered`: the answer came to its end. `left`: the client went away by itself. `broken`: the
   * connection ended under it. `refused`: nobody took the connection.
   */
  end: 'answered' | 'left' | 'broken' | 'refused';
  status: number | null;
  traceId: string | null;
  /** Whether the answer was given before. */
  isReplay: boolean;
  /** What the headers say was charged and is left, as decimals. */
  cost: string | null;
  balance: string | null;
  /** Whether a retry makes sense, as far as the headers say. */
  shouldRetry: boolean;
  retryAfterMs: number | null;
  errorCode: string | null;
  partials: number;
  /** The complete answer, if the client holds one. */
  held: HeldAnswer | null;
}

/** A client waits no longer; every request of a storm is over long before. */
const patienceMs = 12_000;

export function send(sending: Sending): Promise<Try> {
  return new Promise((resolve) => new Exchange(sending, resolve).begin());
}

class Exchange {
  readonly #sending: Sending;
  readonly #done: (result: Try) => void;
  /** A connection of its own, so that leaving is leaving; kept alive, as those of the SDKs are. */
  readonly #agent = new Agent({ keepAlive: true });
  readonly #request: ClientRequest;
  readonly #chunks: Buffer[] = [];
  #stream: StreamReader | null = null;
  #response: IncomingMessage | null = null;
  #timers: NodeJS.Timeout[] = [];
  #result: Try;
  #isOver = false;

  constructor(sending: Sending, done: (result: Try) => void) {
    this.#sending = sending;
    this.#done = done;
    this.#result = emptyTry(sending.server.life);
    this.#request = request({
      host: '127.0.0.1',
      port: sending.server.port,
      path: sending.path,
      method: 'POST',
      agent: this.#agent,
      headers: { ...sending.headers, 'content-length': sending.body.length },
    });
  }

  begin(): void {
    const { body, manner } = this.#sending;
    this.#request.once('response', (response) => this.#onResponse(response));
    this.#request.on('error', (error) => this.#onError(error));
    this.#timers.push(setTimeout(() => this.#leave(), patienceMs));
    switch (manner.kind) {
      case 'leave_sending':
        this.#request.write(body.subarray(0, body.length / 2), () => this.#leave());
        return;
      case 'leave_waiting':
        this.#timers.push(setTimeout(() => this.#leave(), manner.afterMs));
        break;
      default:
    }
    this.#request.end(body);
  }

  #onResponse(response: IncomingMessage): void {
    const { manner, server } = this.#sending;
    this.#response = response;
    this.#readHead(response);
    if (response.statusCode === 200) server.noteAnswer();
    response.on('error', () => this.#finish('broken'));
    response.on('aborted', () => this.#finish('broken'));
    if (manner.kind === 'leave_at_headers') return this.#leave();
    if (response.headers['content-type']?.startsWith('text/event-stream')) {
      this.#stream = new StreamReader();
    }
    response.on('data', (chunk: Buffer) => this.#onData(chunk));
    response.on('end', () => this.#onEnd());
    // A proxy between us would have the whole answer; this client takes its time.
    if (manner.kind === 'slow') {
      response.once('data', () => {
        response.pause();
        this.#timers.push(setTimeout(() => response.resume(), manner.pauseMs));
      });
    }
  }

  #readHead({ headers, statusCode }: IncomingMessage): void {
    const retryAfter = Number(headers['retry-after']);
    this.#result = {
      ...this.#result,
      status: statusCode ?? null,
      traceId: text(headers['x-request-id']),
      isReplay: headers['idempotent-replayed'] === 'true',
      cost: text(headers['x-tintype-cost']),
      balance: text(headers['x-tintype-balance']),
      shouldRetry: headers['x-should-retry'] !== 'false',
      retryAfterMs: Number.isFinite(retryAfter) ? retryAfter * 1_000 : null,
    };
  }

  #onData(chunk: Buffer): void {
    const stream = this.#stream;
    if (stream) stream.add(chunk);
    else this.#chunks.push(chunk);
    const { kind } = this.#sending.manner;
    if (this.#result.status !== 200) return;
    if (kind === 'leave_after_partial' && stream && stream.partials > 0) this.#leave();
    if (kind === 'leave_in_body' && (!stream || stream.isInFinal)) this.#leave();
  }

  #onEnd(): void {
    this.#finish(this.#response?.complete ? 'answered' : 'broken');
  }

  #onError(error: Error & { code?: string }): void {
    this.#finish(error.code === 'ECONNREFUSED' ? 'refused' : 'broken');
  }

  #leave(): void {
    this.#finish('left');
  }

  #finish(end: Try['end']): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#request.destroy();
    this.#agent.destroy();
    this.#done({ ...this.#result, ...this.#readBody(), end, endedAt: Date.now() });
  }

  #readBody(): Pick<Try, 'held' | 'errorCode' | 'partials'> {
    const { status } = this.#result;
    if (this.#stream) {
      const { held, errorCode, partials } = this.#stream;
      return { held, errorCode, partials };
    }
    const body = Buffer.concat(this.#chunks);
    const held = status === 200 ? readPlainAnswer(body) : null;
    const errorCode = status === null || status === 200 ? null : readErrorCode(body);
    return { held, errorCode, partials: 0 };
  }
}

function emptyTry(life: Life): Try {
  return {
    life,
    startedAt: Date.now(),
    endedAt: 0,
    end: 'refused',
    status: null,
    traceId: null,
    isReplay: false,
    cost: null,
    balance: null,
    shouldRetry: true,
    retryAfterMs: null,
    errorCode: null,
    partials: 0,
    held: null,
  };
}

function text(header: string | string[] | undefined): string | null {
  return typeof header === 'string' ? header : null;
}
