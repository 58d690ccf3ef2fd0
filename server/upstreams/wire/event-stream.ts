/** Reads a server-sent event stream whose events are JSON with pictures in them. */
import { ByteCollector } from '../../lib/byte-collector.ts';
import type { OutgoingAnswer } from '../../lib/guarded-http.ts';
import { brokenAnswer, parseAnswer, readPieces } from './ask.ts';
import { answerLimits } from './limits.ts';
import { type LineLimits, readLines } from './stream-lines.ts';

export interface StreamedEvent {
  /** Of its `event:` line. */
  name: string | null;
  /** Parsed; long strings are `CutString`s. */
  data: unknown;
}

/**
 * The events as they come: comments and fields that are not ours are passed over, LF, CRLF and CR
 * end a line, several `data:` lines are one document, `[DONE]` ends the stream. Many services leave
 * out the empty line after their last event, so what a stream ends with is an event too. Data that
 * is not JSON, and an event or a stream without end, are `protocol` faults.
 */
export async function* readEventStream(
  answer: OutgoingAnswer,
  limits: LineLimits = answerLimits,
): AsyncGenerator<StreamedEvent, void, void> {
  const tooLong = (bytesMax: number) =>
    brokenAnswer(answer, `the stream or an event of it has over ${bytesMax} bytes`);
  let begun = new BegunEvent(limits.documentBytesMax);
  for await (const line of readLines(readPieces(answer), limits, tooLong)) {
    if (line.length > 0) {
      if (!begun.add(line)) throw tooLong(limits.documentBytesMax);
      continue;
    }
    const event = begun;
    begun = new BegunEvent(limits.documentBytesMax);
    const document = event.takeData();
    if (document.length === 0) continue;
    if (document.equals(done)) return;
    yield { name: event.name, data: parseEvent(document, answer) };
  }
}

const done = Buffer.from('[DONE]');
const nameBytesMax = 256;

/** The lines of an event that has not come to its end. */
class BegunEvent {
  name: string | null = null;
  readonly #bytesMax: number;
  /** Almost every event has one line of data, which is then not copied again. */
  #only: Buffer | null = null;
  #several: ByteCollector | null = null;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** False when its data get longer than a document may be. */
  add(line: Buffer): boolean {
    const { name, value } = readField(line);
    if (name === 'event') {
      this.name = value.length > nameBytesMax ? null : value.toString('utf8');
    }
    return name !== 'data' || this.#addData(value);
  }

  takeData(): Buffer {
    return this.#several?.take() ?? this.#only ?? Buffer.alloc(0);
  }

  #addData(value: Buffer): boolean {
    if (this.#several) return this.#several.add(lineBreak) && this.#several.add(value);
    if (!this.#only) {
      this.#only = value;
      return value.length <= this.#bytesMax;
    }
    this.#several = new ByteCollector(this.#bytesMax);
    return [this.#only, lineBreak, value].every((part) => this.#several?.add(part));
  }
}

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

function parseEvent(document: Buffer, answer: OutgoingAnswer): unknown {
  const parsed = parseAnswer(document);
  if (parsed.kind === 'value') return parsed.value;
  throw brokenAnswer(answer, `an event is not usable JSON (${parsed.reason})`);
}
