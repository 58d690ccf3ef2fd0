/** Finds the bytes of a body, and its end, in what a connection brings. */
import { BrokenHttpError, type Framing, headBytesMax } from './http1-head.ts';

/** Of the line before a chunk: its size, and extensions that nobody uses. */
const chunkLineBytesMax = 4_096;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

type Place =
  | 'data'
  | 'until_close'
  | 'chunk_line'
  | 'chunk_data'
  | 'chunk_end'
  | 'trailers'
  | 'done';

export class Http1Body {
  #place: Place;
  /** Of the body, or of the chunk. */
  #bytesLeft = 0;
  /** A line that is not whole yet. */
  #line = '';
  #trailerBytes = 0;

  constructor(framing: Framing) {
    switch (framing.kind) {
      case 'none':
        this.#place = 'done';
        break;
      case 'length':
        this.#place = framing.bytes === 0 ? 'done' : 'data';
        this.#bytesLeft = framing.bytes;
        break;
      case 'chunked':
        this.#place = 'chunk_line';
        break;
      case 'close':
        this.#place = 'until_close';
    }
  }

  get isDone(): boolean {
    return this.#place === 'done';
  }

  /** The connection brings nothing more. False when the body is not whole. */
  end(): boolean {
    if (this.#place === 'until_close') this.#place = 'done';
    return this.isDone;
  }

  /**
   * Reads on at `from` and hands over what is of the body. Where it stopped: at the end of `bytes`,
   * or before it at the end of the body.
   */
  read(bytes: Buffer, from: number, use: (piece: Buffer) => void): number {
    let at = from;
    while (at < bytes.length && this.#place !== 'done') {
      switch (this.#place) {
        case 'until_close':
          use(bytes.subarray(at));
          return bytes.length;
        case 'data':
        case 'chunk_data':
          at = this.#readData(bytes, at, use);
          break;
        default:
          at = this.#readLine(bytes, at);
      }
    }
    return at;
  }

  #readData(bytes: Buffer, from: number, use: (piece: Buffer) => void): number {
    const end = Math.min(bytes.length, from + this.#bytesLeft);
    this.#bytesLeft -= end - from;
    if (this.#bytesLeft === 0) this.#place = this.#place === 'data' ? 'done' : 'chunk_end';
    use(bytes.subarray(from, end));
    return end;
  }

  #readLine(bytes: Buffer, from: number): number {
    const bytesMax = this.#place === 'trailers' ? headBytesMax : chunkLineBytesMax;
    const feed = bytes.indexOf(lineFeed, from);
    const end = feed === -1 ? bytes.length : feed + 1;
    if (this.#line.length + end - from > bytesMax) throw new BrokenHttpError('an endless line');
    this.#line += bytes.toString('latin1', from, end);
    if (feed === -1) return end;
    const line = this.#line;
    this.#line = '';
    if (line.charCodeAt(line.length - 2) !== carriageReturn) {
      throw new BrokenHttpError('a line that does not end');
    }
    this.#takeLine(line.slice(0, -2));
    return end;
  }

  #takeLine(line: string): void {
    switch (this.#place) {
      case 'chunk_line':
        this.#bytesLeft = chunkSize(line);
        this.#place = this.#bytesLeft === 0 ? 'trailers' : 'chunk_data';
        return;
      case 'chunk_end':
        if (line !== '') throw new BrokenHttpError('a chunk that is longer than it says');
        this.#place = 'chunk_line';
        return;
      default:
        this.#takeTrailer(line);
    }
  }

  #takeTrailer(line: string): void {
    if (line === '') {
      this.#place = 'done';
      return;
    }
    this.#trailerBytes += line.length;
    if (this.#trailerBytes > headBytesMax) throw new BrokenHttpError('endless trailers');
  }
}

function chunkSize(line: string): number {
  const [, digits] = /^([0-9a-fA-F]{1,12})(?:[\t ]*;[\t\x20-\x7e\x80-\xff]*)?$/.exec(line) ?? [];
  if (digits === undefined) throw new BrokenHttpError('a broken chunk size');
  return Number.parseInt(digits, 16);
}
