/** A connection that sends more without a line's end is not ours. */
const lineBytesMax = 64 * 1_048_576;
const lineFeed = 10;

/**
 * Cuts a stream of bytes into lines. Each piece is looked at once: looking through all that was
 * collected, every time, takes longer than the network for a line of several megabytes.
 */
export class EventLines {
  #pieces: Uint8Array[] = [];
  #bytes = 0;

  /** The lines that this piece ends, without their ends. */
  take(piece: Uint8Array): readonly string[] {
    const lines: string[] = [];
    let from = 0;
    for (let at = piece.indexOf(lineFeed); at !== -1; at = piece.indexOf(lineFeed, from)) {
      this.#keep(piece.subarray(from, at));
      lines.push(this.#endLine());
      from = at + 1;
    }
    this.#keep(piece.subarray(from));
    return lines;
  }

  #keep(piece: Uint8Array): void {
    if (piece.length === 0) return;
    this.#bytes += piece.length;
    if (this.#bytes > lineBytesMax) throw new RangeError('a line of the stream is too long');
    this.#pieces.push(piece);
  }

  #endLine(): string {
    const text = new TextDecoder();
    const line = this.#pieces.map((piece) => text.decode(piece, { stream: true })).join('');
    this.#pieces = [];
    this.#bytes = 0;
    return (line + text.decode()).replace(/\r$/, '');
  }
}
