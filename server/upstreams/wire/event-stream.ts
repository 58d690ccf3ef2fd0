/** Reads a server-sent event stream whose events are JSON with pictures in them. */
import { ByteCollector } from '../../lib/byte-collector.ts';
import type { OutgoingAnswer } from '../../lib/guarded-http.ts';
import { UpstreamError } from '../upstream.ts';
import { parseAnswer, readPieces, statedBy } from './ask.ts';
import { answerLimits } from './limits.ts';

export interface StreamedEvent {
  /** Of its `event:` line. */
  name: string | null;
  /** Parsed; long strings are `CutString`s. */
  data: unknown;
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * The events as they come: comments and fields that are not ours are passed over, LF, CRLF and CR
 * end a line, several `data:` lines are one document, `[DONE]` ends the stream. Data that is not
 * JSON, and an event or a stream without end, are `protocol` faults.
 */
export async function* readEventStream(
  answer: OutgoingAnswer,
): AsyncGenerator<StreamedEvent, void, void> {
  let name: string | null = null;
  let data: Buffer[] = [];
  for await (const line of readLines(answer)) {
    if (line.length > 0) {
      const field = readField(line);
      if (field?.name === 'event') name = field.value.toString('utf8');
      if (field?.name === 'data') data.push(field.value);
      continue;
    }
    const document = joined(data);
    const event = { name, data: document };
    name = null;
    data = [];
    if (document.length === 0) continue;
    if (document.equals(done)) return;
    yield { name: event.name, data: parseEvent(document, answer) };
  }
}

const done = Buffer.from('[DONE]');

function joined(lines: readonly Buffer[]): Buffer {
  const [only] = lines;
  if (only && lines.length === 1) return only;
  return Buffer.concat(
    lines.flatMap((line, index) => (index === 0 ? [line] : [Buffer.from('\n'), line])),
  );
}

function parseEvent(document: Buffer, answer: OutgoingAnswer): unknown {
  const parsed = parseAnswer(document);
  if (parsed.kind === 'value') return parsed.value;
  throw new UpstreamError('protocol', `an event is not usable JSON (${parsed.reason})`, {
    ...statedBy(answer),
    possiblyCharged: true,
  });
}

function readField(line: Buffer): { name: string; value: Buffer } | null {
  const colon = line.indexOf(':');
  if (colon <= 0) return null;
  const from = line[colon + 1] === 0x20 ? colon + 2 : colon + 1;
  return { name: line.toString('latin1', 0, colon), value: line.subarray(from) };
}

/** Lines without their ends. One that is not ended when the stream ends is not given. */
async function* readLines(answer: OutgoingAnswer): AsyncGenerator<Buffer, void, void> {
  let begun = new ByteCollector(answerLimits.documentBytesMax);
  let total = 0;
  let endedByReturn = false;
  const keep = (piece: Buffer) => {
    if (!begun.add(piece)) throw tooLong(answer, answerLimits.documentBytesMax);
  };
  for await (const piece of readPieces(answer)) {
    total += piece.length;
    if (total > answerLimits.streamBytesMax) throw tooLong(answer, answerLimits.streamBytesMax);
    let from = 0;
    // The second half of a CRLF that two pieces share.
    if (endedByReturn && piece[0] === lineFeed) from = 1;
    if (piece.length > 0) endedByReturn = false;
    for (;;) {
      const end = lineEnd(piece, from);
      if (end === -1) break;
      const isReturn = piece[end] === carriageReturn;
      keep(piece.subarray(from, end));
      yield begun.take();
      begun = new ByteCollector(answerLimits.documentBytesMax);
      from = end + 1;
      if (!isReturn) continue;
      if (from === piece.length) endedByReturn = true;
      else if (piece[from] === lineFeed) from++;
    }
    keep(piece.subarray(from));
  }
}

/** The first line feed or carriage return, found by two native searches. */
function lineEnd(piece: Buffer, from: number): number {
  const feed = piece.indexOf(lineFeed, from);
  const limit = feed === -1 ? piece.length : feed;
  const back = piece.subarray(from, limit).indexOf(carriageReturn);
  return back === -1 ? feed : from + back;
}

function tooLong(answer: OutgoingAnswer, bytesMax: number): UpstreamError {
  return new UpstreamError('protocol', `the stream or an event of it has over ${bytesMax} bytes`, {
    ...statedBy(answer),
    possiblyCharged: true,
  });
}
