import type { OutgoingAnswer } from '../../lib/outgoing/outgoing-answer.ts';
import { AnswerBytes, AnswerReader, type BegunAnswer } from './answer-reader.ts';
import { answerLimits } from './limits.ts';
import type { PictureTexts } from './picture-texts.ts';

/**
 * Whether a body is an event stream, told by its first bytes: gateways that ignore a `stream` label
 * their JSON as events, and others their events as text. `opened` is the answer to go on with.
 */
export async function looksLikeEvents(
  answer: OutgoingAnswer,
  pictureTexts: PictureTexts,
): Promise<{ isEvents: boolean; opened: BegunAnswer }> {
  const reader = new AnswerReader(answer);
  const begun = new AnswerBytes(answer, answerLimits.documentBytesMax, pictureTexts);
  let start = '';
  try {
    await reader.read((piece) => {
      begun.add(piece);
      const first = piece.find((byte) => !blanks.includes(byte));
      start = first === undefined ? '' : String.fromCharCode(first);
      return start === '';
    });
  } catch (error) {
    begun.drop();
    throw error;
  }
  const opened = { reader, begun };
  if ('{['.includes(start)) return { isEvents: false, opened };
  const isLabelled = /^text\/event-stream/i.test(answer.headers['content-type'] ?? '');
  return { isEvents: isLabelled || ':dei'.includes(start), opened };
}

const blanks = Buffer.from('\t\n\v\f\r \u00a0', 'latin1');
