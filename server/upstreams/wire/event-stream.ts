/** Reads a server-sent event stream whose events are JSON with pictures in them. */
import { ByteCollector } from '../../lib/bytes/byte-collector.ts';
import { memoryPool } from '../../lib/bytes/memory-pool.ts';
import type { OutgoingAnswer } from '../../lib/outgoing/outgoing-answer.ts';
import { AnswerReader, type BegunAnswer } from './answer-reader.ts';
import { brokenAnswer, parseAnswer } from './ask.ts';
import { answerLimits } from './limits.ts';
import { PictureTexts } from './picture-texts.ts';
import { type LineLimits, StreamLines } from './stream-lines.ts';

export interface StreamedEvent {
  /** Of its `event:` line. */
  name: string | null;
  /** Parsed; long strings are `CutString`s. */
  data: unknown;
}

export interface StreamOptions {
  limits?: LineLimits;
  /** What the streams of the service had in common until now. */
  pictureTexts?: PictureTexts;
  opened?: BegunAnswer;
}

/**
 * The events as they come: comments and fields that are not ours are passed over, LF, CRLF and CR
 * end a line, several `data:` lines are one document, `[DONE]` ends the stream. Many services leave
 * out the empty line after their last event, so what a stream ends with is an event too. An event or
 * a stream without end is a `protocol` fault, and so are data that are not JSON, but only at the end:
 * the picture may come behind them.
 */
export async function* readEventStream(
  answer: OutgoingAnswer,
  { limits = answerLimits, pictureTexts = new PictureTexts(), opened }: StreamOptions = {},
): AsyncGenerator<StreamedEvent, void, void> {
  const events = new BegunStream(answer, { limits, pictureTexts });
  const reader = opened?.reader ?? new AnswerReader(answer);
  try {
    if (opened) events.addOwn(opened.begun.take());
    for (;;) {
      yield* events.take();
      if (events.isOver) {
        answer.body.letEnd?.();
        return;
      }
      const goesOn = await reader.read((piece) => {
        events.add(piece);
        return !events.hasNews;
      });
      if (!goesOn) events.end();
    }
  } finally {
    events.leave();
    await reader.leave();
  }
}

/** A stream of which some pieces have come. */
class BegunStream {
  readonly #answer: OutgoingAnswer;
  readonly #limits: LineLimits;
  readonly #lines: StreamLines;
  #begun: BegunEvent;
  #events: StreamedEvent[] = [];
  #failure: { error: unknown } | null = null;
  /** Of the first event that could not be read. */
  #unread: Error | null = null;
  #isOver = false;

  constructor(
    answer: OutgoingAnswer,
    { limits, pictureTexts }: { limits: LineLimits; pictureTexts: PictureTexts },
  ) {
    this.#answer = answer;
    this.#limits = limits;
    this.#begun = new BegunEvent(limits.documentBytesMax);
    this.#lines = new StreamLines({
      limits,
      pictureTexts,
      tooLong: (bytesMax) => this.#tooLong(bytesMax),
      tooMany: (linesMax) => brokenAnswer(answer, `the stream has over ${linesMax} lines`),
      onLine: (line, isOwn) => this.#addLine(line, isOwn),
    });
  }

  /** Whether the stream has said its last word. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Whether there is something to take. */
  get hasNews(): boolean {
    return this.#events.length > 0 || this.#failure !== null || this.#isOver;
  }

  /** The events that are whole. Behind them it throws what is wrong with the next one. */
  *take(): Generator<StreamedEvent, void, void> {
    const events = this.#events;
    this.#events = [];
    yield* events;
    if (this.#failure) throw this.#failure.error;
    if (this.#isOver && this.#unread) throw this.#unread;
  }

  add(piece: Buffer): void {
    this.#orFail(() => this.#lines.add(piece));
  }

  /** A piece in memory that nobody else needs. */
  addOwn(piece: Buffer): void {
    this.add(piece);
    memoryPool.giveBack(piece);
  }

  /** No piece follows. */
  end(): void {
    this.#orFail(() => this.#lines.end());
    this.#isOver = true;
  }

  /** Nobody wants what follows, of which a part may have come. */
  leave(): void {
    memoryPool.giveBack(this.#begun.take().document);
    this.#lines.leave();
  }

  #orFail(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#failure ??= { error };
    }
  }

  #addLine(line: Buffer, isOwn: boolean): void {
    if (this.#isOver) return;
    const { documentBytesMax } = this.#limits;
    if (line.length > 0) {
      if (!this.#begun.add(line, isOwn)) throw this.#tooLong(documentBytesMax);
      return;
    }
    const { name, document } = this.#begun.take();
    this.#begun = new BegunEvent(documentBytesMax);
    if (document.length === 0) return;
    if (document.equals(done)) this.#isOver = true;
    else this.#addEvent(name, document);
  }

  #addEvent(name: string | null, document: Buffer): void {
    const parsed = parseAnswer(document);
    if (parsed.kind === 'value') this.#events.push({ name, data: parsed.value });
    else {
      const words = `an event is not usable JSON (${parsed.reason})`;
      this.#unread ??= brokenAnswer(this.#answer, words);
      memoryPool.giveBack(document);
    }
  }

  #tooLong(bytesMax: number): Error {
    return brokenAnswer(this.#answer, `the stream or an event of it has over ${bytesMax} bytes`);
  }
}

const done = Buffer.from('[DONE]');
const nameBytesMax = 256;

/** The lines of an event that has not come to its end. */
class BegunEvent {
  readonly #bytesMax: number;
  #name: string | null = null;
  /** Almost every event has one line of data, which is then not copied again. */
  #only: Buffer | null = null;
  #several: ByteCollector | null = null;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** False when its data get longer than a document may be. */
  add(line: Buffer, isOwn: boolean): boolean {
    const { name, value } = readField(line);
    if (name === 'event') {
      this.#name = value.length > nameBytesMax ? null : value.toString('utf8');
    }
    return name !== 'data' || this.#addData(value, isOwn);
  }

  take(): { name: string | null; document: Buffer } {
    return { name: this.#name, document: this.#several?.take() ?? this.#only ?? nothing };
  }

  #addData(value: Buffer, isOwn: boolean): boolean {
    if (this.#several) return this.#several.add(lineBreak) && this.#several.add(value);
    if (!this.#only) {
      this.#only = isOwn ? value : copyOf(value);
      return value.length <= this.#bytesMax;
    }
    this.#several = new ByteCollector(this.#bytesMax);
    return [this.#only, lineBreak, value].every((part) => this.#several?.add(part));
  }
}

/** What has a picture in it may be given back by whoever is the last to need that. */
function copyOf(value: Buffer): Buffer {
  const copy = memoryPool.take(value.length).subarray(0, value.length);
  copy.set(value);
  return copy;
}

const nothing = Buffer.alloc(0);
const lineBreak = Buffer.from('\n');

/** A line that begins with a colon is a comment, and has no name. */
function readField(line: Buffer): { name: string; value: Buffer } {
  const colon = line.indexOf(':');
  if (colon === -1) {
    return { name: line.toString('latin1', 0, nameBytesMax), value: Buffer.alloc(0) };
  }
  const from = line[colon + 1] === 0x20 ? colon + 2 : colon + 1;
  const name = line.toString('latin1', 0, Math.min(colon, nameBytesMax));
  return { name, value: line.subarray(from) };
}
