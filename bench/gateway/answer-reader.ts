/** Reads an HTTP/1.1 answer and compares its pictures with what they have to be, byte by byte. */

const headBytesMax = 64 * 1_024;
const openingCharactersMax = 300;
const headEnd = Buffer.from('\r\n\r\n');
const lineEnd = Buffer.from('\r\n');
/** The fields that hold a picture, in the answers of all gateways. */
const pictureFields = ['"b64_json":"', '"partial_image_b64":"', '"result":"'].map((text) =>
  Buffer.from(text),
);
const fieldBytesMax = Math.max(...pictureFields.map(({ length }) => length));
const quote = 0x22;

/** How the body is delimited: by a length, in chunks, or by the end of the connection. */
type Framing = 'length' | 'chunks' | 'close';

export class AnswerReader {
  status = 0;
  bodyBytes = 0;
  /** The start of the body, for who wants to know what went wrong. */
  opening = '';
  closes = false;
  #head: Buffer = Buffer.alloc(0);
  #framing: Framing | null = null;
  /** Bytes to come of the body or of the chunk. */
  #left = 0;
  /** A chunk's size line that is not complete. */
  #line: Buffer = Buffer.alloc(0);
  #isLastChunk = false;
  readonly #pictures: PictureComparison | null;

  /** @param expected its pictures, in their order; null where any will do */
  constructor(expected: readonly Buffer[] | null) {
    this.#pictures = expected && new PictureComparison(expected);
  }

  /** What is wrong with the whole answer, or null. */
  get problem(): string | null {
    if (this.status === 200) return this.#pictures?.problem ?? null;
    return `status ${this.status}: ${this.opening}`;
  }

  /** True when the answer is whole. */
  feed(bytes: Buffer): boolean {
    if (this.#framing !== null) return this.#feedBody(bytes);
    this.#head = Buffer.concat([this.#head, bytes]);
    const end = this.#head.indexOf(headEnd);
    if (end < 0) {
      if (this.#head.length > headBytesMax) throw new Error('the head of an answer has no end');
      return false;
    }
    this.#readHead(this.#head.toString('latin1', 0, end));
    return this.#feedBody(this.#head.subarray(end + headEnd.length));
  }

  /** The connection ended: whether that was the end of the answer. */
  end(): boolean {
    return this.#framing === 'close';
  }

  #readHead(head: string): void {
    this.status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1]);
    this.closes = /\r\nconnection: *close/i.test(head);
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    if (/\r\ntransfer-encoding: *chunked/i.test(head)) this.#framing = 'chunks';
    else if (length === undefined) this.#framing = 'close';
    else {
      this.#framing = 'length';
      this.#left = Number(length);
    }
  }

  #feedBody(bytes: Buffer): boolean {
    if (this.#framing === 'chunks') return this.#feedChunks(bytes);
    if (this.#framing === 'close') {
      this.#take(bytes);
      return false;
    }
    const piece = bytes.subarray(0, this.#left);
    this.#left -= piece.length;
    this.#take(piece);
    return this.#left === 0;
  }

  #feedChunks(bytes: Buffer): boolean {
    let rest = bytes;
    while (rest.length > 0) {
      if (this.#left > 0) {
        const piece = rest.subarray(0, this.#left);
        this.#left -= piece.length;
        this.#take(piece);
        rest = rest.subarray(piece.length);
        continue;
      }
      const joined = this.#line.length === 0 ? rest : Buffer.concat([this.#line, rest]);
      const end = joined.indexOf(lineEnd);
      if (end < 0) {
        this.#line = Buffer.from(joined);
        return false;
      }
      this.#line = Buffer.alloc(0);
      rest = joined.subarray(end + lineEnd.length);
      const line = joined.toString('latin1', 0, end);
      if (this.#isLastChunk) return true;
      // Behind each chunk stands an empty line.
      if (line === '') continue;
      this.#left = Number.parseInt(line, 16);
      this.#isLastChunk = this.#left === 0;
    }
    return false;
  }

  #take(piece: Buffer): void {
    const missing = openingCharactersMax - this.opening.length;
    if (missing > 0) this.opening += piece.toString('latin1', 0, missing);
    this.bodyBytes += piece.length;
    this.#pictures?.feed(piece);
  }
}

/** Finds the fields with pictures in a body that comes in pieces. */
class PictureComparison {
  readonly #expected: readonly Buffer[];
  /** Index of the next picture, or of the one that is being compared. */
  #at = 0;
  /** Bytes of it that were right; null between pictures. */
  #done: number | null = null;
  #tail: Buffer = Buffer.alloc(0);
  #wrong: string | null = null;

  constructor(expected: readonly Buffer[]) {
    this.#expected = expected;
  }

  get problem(): string | null {
    if (this.#wrong !== null) return this.#wrong;
    const missing = this.#expected.length - this.#at;
    return missing === 0 ? null : `${missing} pictures of ${this.#expected.length} are missing`;
  }

  feed(piece: Buffer): void {
    let rest = piece;
    while (rest.length > 0 && this.#wrong === null) {
      rest = this.#done === null ? this.#search(rest) : this.#compare(rest, this.#done);
    }
  }

  #search(piece: Buffer): Buffer {
    const text = this.#tail.length === 0 ? piece : Buffer.concat([this.#tail, piece]);
    const starts = pictureFields
      .map((field) => ({ at: text.indexOf(field), length: field.length }))
      .filter(({ at }) => at >= 0)
      .sort((a, b) => a.at - b.at);
    const [first] = starts;
    if (!first) {
      // Copied, because the memory of the piece is used again.
      this.#tail = Buffer.from(text.subarray(Math.max(0, text.length - fieldBytesMax)));
      return Buffer.alloc(0);
    }
    this.#tail = Buffer.alloc(0);
    this.#done = 0;
    return text.subarray(first.at + first.length);
  }

  #compare(piece: Buffer, done: number): Buffer {
    const expected = this.#expected[this.#at];
    if (!expected) {
      this.#wrong = `there are more pictures than ${this.#expected.length}`;
      return piece;
    }
    const compared = Math.min(piece.length, expected.length - done);
    if (piece.compare(expected, done, done + compared, 0, compared) !== 0) {
      this.#wrong = `picture ${this.#at + 1} differs from what the upstream sent`;
      return piece;
    }
    if (compared === piece.length) {
      this.#done = done + compared;
      return Buffer.alloc(0);
    }
    if (piece[compared] !== quote) {
      this.#wrong = `picture ${this.#at + 1} is longer than what the upstream sent`;
      return piece;
    }
    this.#at++;
    this.#done = null;
    return piece.subarray(compared + 1);
  }
}
