/** Writes one request to a connection, as fast as that takes it. */
import type { Socket } from 'node:net';
import { assert } from '../assert.ts';
import { type BodyPiece, batchesOf, lengthOfBody, makingBytesFor } from '../bytes/body-pieces.ts';
import { memoryPool } from '../bytes/memory-pool.ts';

export interface Http1Request {
  method: string;
  /** As it goes out, with the empty line at its end; one byte for each character. */
  head: string;
  body: readonly BodyPiece[];
}

export interface WriterOptions {
  socket: Socket;
  request: Http1Request;
  /** Called once, when the operating system has everything. */
  onSent: () => void;
  /** Called when there is less of the body than there was. */
  onFailed: (error: unknown) => void;
}

export class Http1RequestWriter {
  readonly #options: WriterOptions;
  /** For what is made as it is written; given back when no write has it any more. */
  #memory: Buffer = nothing;
  #batches: Iterator<readonly Buffer[], void> = nothings.values();
  #bytesLeft = 0;
  #isStopped = false;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  start(): void {
    const { socket, request } = this.#options;
    const { body, head } = request;
    this.#memory = memoryPool.take(makingBytesFor(body));
    this.#batches = batchesOf(body, this.#memory);
    this.#bytesLeft = lengthOfBody(body);
    if (this.#bytesLeft === 0) {
      socket.write(head, 'latin1', this.#goOn);
      return;
    }
    socket.cork();
    socket.write(head, 'latin1');
    this.#goOn();
    socket.uncork();
  }

  /** Whether all of the body was given to the socket; how much of it went out, that does not say. */
  get isHandedOver(): boolean {
    return this.#bytesLeft === 0;
  }

  /** The connection is closed, or the answer is there: nothing more is written. */
  stop(): void {
    this.#isStopped = true;
    // Whoever holds the connection longer does not hold the pictures with it.
    this.#batches = nothings.values();
  }

  /** A batch was written, or the connection is closed. */
  readonly #goOn = (error?: Error | null): void => {
    if (this.#isStopped || error) {
      memoryPool.giveBack(this.#memory);
      return;
    }
    try {
      this.#writeBatch();
    } catch (thrown) {
      this.stop();
      memoryPool.giveBack(this.#memory);
      this.#options.onFailed(thrown);
    }
  };

  #writeBatch(): void {
    const { socket, onSent } = this.#options;
    const next = this.#batches.next();
    if (next.done) {
      assert(this.#bytesLeft === 0, 'a body does not become shorter while it is sent');
      memoryPool.giveBack(this.#memory);
      onSent();
      return;
    }
    const last = next.value.length - 1;
    socket.cork();
    for (const [index, view] of next.value.entries()) {
      this.#bytesLeft -= view.length;
      if (index < last) socket.write(view);
      else socket.write(view, this.#goOn);
    }
    socket.uncork();
  }
}

const nothing = Buffer.alloc(0);
const nothings: readonly (readonly Buffer[])[] = [];
