/** One connection of a caller: raw, so that the load costs as little as it can. */
import { connect, type Socket } from 'node:net';
import { AnswerReader } from './answer-reader.ts';

/** A request that is written as it is. */
export interface Ask {
  /** Request line, headers, body. */
  bytes: readonly Buffer[];
  /** The pictures of its answer, in their order; null where any will do. */
  expected: readonly Buffer[] | null;
}

export interface Answered {
  /** 0 when there was no answer. */
  status: number;
  /** Of the body. */
  bytes: number;
  /** From the first byte of the request to the last of the answer. */
  ms: number;
  /** What is wrong with it, or null. */
  problem: string | null;
}

/** All connections read into it, one after the other: a read is done with before the next begins. */
const readBuffer = Buffer.allocUnsafeSlow(256 * 1_024);

interface Pending {
  reader: AnswerReader;
  startedAt: number;
  resolve: (answered: Answered) => void;
}

export class Connection {
  readonly #port: number;
  #socket: Socket | null = null;
  #pending: Pending | null = null;

  constructor(port: number) {
    this.#port = port;
  }

  /** Resolves also when the answer is wrong or the connection breaks: `problem` says so. */
  ask({ bytes, expected }: Ask): Promise<Answered> {
    const socket = this.#socket ?? this.#open();
    const { promise, resolve } = Promise.withResolvers<Answered>();
    this.#pending = { reader: new AnswerReader(expected), startedAt: performance.now(), resolve };
    socket.cork();
    for (const part of bytes) socket.write(part);
    socket.uncork();
    return promise;
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = null;
  }

  #open(): Socket {
    const socket = connect({
      port: this.#port,
      host: '127.0.0.1',
      noDelay: true,
      onread: {
        buffer: readBuffer,
        callback: (length) => {
          this.#read(readBuffer.subarray(0, length));
          return true;
        },
      },
    });
    socket.on('error', (error) => this.#broken(socket, error.message));
    socket.on('close', () => this.#broken(socket, 'the connection was closed'));
    this.#socket = socket;
    return socket;
  }

  #read(bytes: Buffer): void {
    const reader = this.#pending?.reader;
    if (!reader?.feed(bytes)) return;
    if (reader.closes) this.close();
    this.#finish(reader.problem);
  }

  #broken(socket: Socket, reason: string): void {
    // One that was given up before is heard of no more.
    if (this.#socket !== socket) return;
    this.close();
    const reader = this.#pending?.reader;
    if (reader) this.#finish(reader.end() ? reader.problem : reason);
  }

  #finish(problem: string | null): void {
    const pending = this.#pending;
    if (!pending) return;
    this.#pending = null;
    const { reader, resolve, startedAt } = pending;
    const ms = performance.now() - startedAt;
    resolve({ status: reader.status, bytes: reader.bodyBytes, ms, problem });
  }
}
