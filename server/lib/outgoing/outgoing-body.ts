/** How the body of an answer is read, in pieces of memory that need not be one's own. */

export interface OutgoingBody extends AsyncIterable<Buffer> {
  /** See {@link PieceReader.read}; where it is missing, the pieces are iterated over. */
  read?(use: (piece: Buffer) => boolean): Promise<boolean>;
  /** Goes with `read`: see {@link PieceReader.leave}. */
  discard?(): void;
  /**
   * Stops reading a body that should be near its end. If it does end soon, its connection is kept for the next
   * request, whereas `discard` closes it. Missing where a connection cannot be kept.
   */
  letEnd?(): void;
}

/** Reads a body with as few copies as there can be. */
export class PieceReader {
  readonly #body: OutgoingBody;
  readonly #pieces: AsyncIterator<Buffer>;

  constructor(body: OutgoingBody) {
    this.#body = body;
    this.#pieces = body[Symbol.asyncIterator]();
  }

  /**
   * Hands over the pieces that are there, and those that come, until `use` has enough for now and
   * says false. A piece is to be used whole and at once: its memory is written over as soon as `use`
   * returns. False at the end of the body.
   */
  async read(use: (piece: Buffer) => boolean): Promise<boolean> {
    if (this.#body.read) return await this.#body.read(use);
    for (;;) {
      const next = await this.#pieces.next();
      if (next.done) return false;
      if (!use(next.value)) return true;
    }
  }

  /** Nothing more is wanted; closes the connection if the body has not come to its end. */
  async leave(): Promise<void> {
    this.#body.discard?.();
    await this.#pieces.return?.();
  }
}
