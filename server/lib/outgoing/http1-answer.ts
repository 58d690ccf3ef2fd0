/** The body of an answer between the connection that brings it and whoever reads it. */
import { assert } from '../assert.ts';
import { memoryPool } from '../bytes/memory-pool.ts';
import type { OutgoingBody } from './outgoing-body.ts';

/** What is kept for a reader who has enough for now, before the connection is read no further. */
const backlogBytesMax = 256 * 1024;

/** The connection as a body sees it. */
export interface BodySource {
  /** Reads no further until it is told to. */
  pause(): void;
  resume(): void;
  /** Nobody wants the rest. */
  leave(): void;
  /** Nobody wants the rest, but it is short: the connection may be kept if it ends soon. */
  letEnd(): void;
  /** The body was read to its end. */
  consumed(): void;
}

interface Reader {
  use: (piece: Buffer) => boolean;
  done: PromiseWithResolvers<boolean>;
}

export class Http1Answer implements OutgoingBody {
  readonly #source: BodySource;
  #reader: Reader | null = null;
  #backlog: Buffer[] = [];
  #backlogBytes = 0;
  #isPaused = false;
  #isWhole = false;
  #isLeft = false;
  #failure: { error: unknown } | null = null;

  constructor(source: BodySource) {
    this.#source = source;
  }

  async read(use: (piece: Buffer) => boolean): Promise<boolean> {
    assert(!this.#reader, 'a body has one reader');
    if (!this.#readBacklog(use)) return true;
    if (this.#failure) throw this.#failure.error;
    if (this.#isWhole) {
      this.#source.consumed();
      return false;
    }
    const done = Promise.withResolvers<boolean>();
    this.#reader = { use, done };
    if (this.#isPaused) {
      this.#isPaused = false;
      this.#source.resume();
    }
    return await done.promise;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer, void, void> {
    try {
      for (let goesOn = true; goesOn; ) {
        const pieces: Buffer[] = [];
        goesOn = await this.read((piece) => {
          pieces.push(Buffer.from(piece));
          return false;
        });
        yield* pieces;
      }
    } finally {
      this.discard();
    }
  }

  discard(): void {
    if (this.#drop()) this.#source.leave();
  }

  letEnd(): void {
    if (this.#drop()) this.#source.letEnd();
  }

  /** A piece has come, in memory that is written over when this returns. */
  receive(piece: Buffer): void {
    if (this.#isLeft) return;
    const reader = this.#reader;
    if (!reader) {
      this.#keep(piece);
      return;
    }
    try {
      if (reader.use(piece)) return;
      this.#reader = null;
      reader.done.resolve(true);
    } catch (error) {
      this.#reader = null;
      reader.done.reject(error);
      this.discard();
    }
  }

  /** The last piece has come. */
  finish(): void {
    this.#isWhole = true;
    const reader = this.#reader;
    this.#reader = null;
    if (!reader) return;
    this.#source.consumed();
    reader.done.resolve(false);
  }

  /** The caller wants nothing more: reading throws the reason at once. */
  stop(reason: unknown): void {
    this.#forgetBacklog();
    this.fail(reason);
  }

  /** There will be no more pieces: reading throws, behind those that have come. */
  fail(error: unknown): void {
    this.#failure ??= { error };
    this.#reader?.done.reject(error);
    this.#reader = null;
  }

  /** From now on nothing is kept. False when that was so before. */
  #drop(): boolean {
    if (this.#isLeft) return false;
    this.#isLeft = true;
    this.#forgetBacklog();
    return true;
  }

  #forgetBacklog(): void {
    for (const piece of this.#backlog) memoryPool.giveBack(piece);
    this.#backlog = [];
  }

  /** False when the reader has enough for now. */
  #readBacklog(use: (piece: Buffer) => boolean): boolean {
    try {
      for (let piece = this.#backlog.shift(); piece; piece = this.#backlog.shift()) {
        this.#backlogBytes -= piece.length;
        const goesOn = use(piece);
        memoryPool.giveBack(piece);
        if (!goesOn) return false;
      }
      return true;
    } catch (error) {
      this.discard();
      throw error;
    }
  }

  #keep(piece: Buffer): void {
    const kept = memoryPool.take(piece.length).subarray(0, piece.length);
    kept.set(piece);
    this.#backlog.push(kept);
    this.#backlogBytes += piece.length;
    if (this.#backlogBytes < backlogBytesMax || this.#isPaused) return;
    this.#isPaused = true;
    this.#source.pause();
  }
}
