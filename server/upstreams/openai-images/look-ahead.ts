import type { OutgoingAnswer } from '../../lib/guarded-http.ts';
import { readPieces } from '../wire/ask.ts';

/**
 * Whether a body is an event stream, told by its first bytes: gateways that ignore a `stream` label
 * their JSON as events, and others their events as text. `whole` is the answer to go on with.
 */
export async function looksLikeEvents(
  answer: OutgoingAnswer,
): Promise<{ isEvents: boolean; whole: OutgoingAnswer }> {
  const pieces = readPieces(answer);
  const first = await firstPiece(pieces);
  const start = first?.toString('latin1').trimStart()[0] ?? '';
  const whole = { ...answer, body: rejoined(first, pieces) };
  if ('{['.includes(start)) return { isEvents: false, whole };
  const isLabelled = /^text\/event-stream/i.test(answer.headers['content-type'] ?? '');
  return { isEvents: isLabelled || ':dei'.includes(start), whole };
}

/** The first piece with more in it than white space. */
async function firstPiece(pieces: AsyncGenerator<Buffer, void, void>): Promise<Buffer | null> {
  const blank: Buffer[] = [];
  for (;;) {
    const { done, value } = await pieces.next();
    if (done) return blank.length === 0 ? null : Buffer.concat(blank);
    blank.push(value);
    if (/\S/.test(value.toString('latin1'))) return Buffer.concat(blank);
  }
}

async function* rejoined(
  first: Buffer | null,
  rest: AsyncGenerator<Buffer, void, void>,
): AsyncGenerator<Buffer, void, void> {
  try {
    if (first) yield first;
    yield* rest;
  } finally {
    await rest.return();
  }
}
