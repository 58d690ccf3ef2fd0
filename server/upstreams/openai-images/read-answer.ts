/**
 * Reads what a service answers with, which need not be what was asked for: a JSON document, an
 * event stream or the picture itself, the picture in it as base64, as a data URL or by an address.
 */

import type { OutgoingAnswer } from '../../lib/outgoing/outgoing-answer.ts';
import type { EncodedImage } from '../../lib/pictures/encoded-image.ts';
import { sniffFormat } from '../../lib/pictures/sniff-format.ts';
import { UpstreamError, type UpstreamTokens } from '../upstream.ts';
import { type BegunAnswer, readRest } from '../wire/answer-reader.ts';
import { brokenAnswer, dropPictures, jsonOf, readBytes, statedBy } from '../wire/ask.ts';
import { readEventStream, type StreamedEvent } from '../wire/event-stream.ts';
import { type ErrorRules, errorOfAnswer } from '../wire/faults.ts';
import { answerLimits } from '../wire/limits.ts';
import { looksLikeEvents } from '../wire/look-ahead.ts';
import { isShowable } from '../wire/picture-text.ts';
import { PictureTexts } from '../wire/picture-texts.ts';
import type { RefusalMark } from './dialect.ts';
import {
  type AnsweredPicture,
  errorInside,
  isRefused,
  readPicture,
  readTokens,
} from './read-picture.ts';

export interface Reading {
  errors: ErrorRules;
  refusedWhen: readonly RefusalMark[];
}

export type AnswerPart =
  | { kind: 'partial'; image: EncodedImage }
  | ({ kind: 'picture' } & AnsweredPicture);

/** Partial images as they come, then the picture, which is the last. */
export async function* readAnswer(
  answer: OutgoingAnswer,
  reading: Reading,
  pictureTexts = new PictureTexts(),
): AsyncGenerator<AnswerPart, void, void> {
  if (/^image\//i.test(answer.headers['content-type'] ?? '')) {
    yield { kind: 'picture', ...(await readBarePicture(answer)) };
    return;
  }
  const { isEvents, opened } = await looksLikeEvents(answer, pictureTexts);
  if (isEvents) yield* readEvents(answer, { opened, pictureTexts }, reading);
  else {
    const said = jsonOf(await readRest(opened), answer);
    yield { kind: 'picture', ...pictureIn(said, answer, reading) };
  }
}

async function readBarePicture(answer: OutgoingAnswer): Promise<AnsweredPicture> {
  const image: EncodedImage = {
    encoding: 'raw',
    bytes: await readBytes(answer, answerLimits.pictureBytesMax),
  };
  if (sniffFormat(image) === null) throw brokenAnswer(answer, 'the answer is in no known format');
  const actual = { quality: null, background: null };
  return { source: { image }, revisedPrompt: null, actual, tokens: null };
}

function pictureIn(said: unknown, answer: OutgoingAnswer, reading: Reading): AnsweredPicture {
  const picture = pictureOrError(said, answer, reading);
  if (picture) return picture;
  const error = errorSaid(said, answer, reading);
  dropPictures(said);
  throw error;
}

/** The picture, null when there is none; throws what is said instead of one. */
function pictureOrError(
  said: unknown,
  answer: OutgoingAnswer,
  reading: Reading,
): AnsweredPicture | null {
  if (isRefused(said, reading.refusedWhen)) {
    // It was made, looked at and held back.
    const stated = { ...statedBy(answer), possiblyCharged: true };
    throw new UpstreamError('refused', 'the picture was held back', stated);
  }
  const error = errorInside(said);
  if (error === undefined) return readPicture(said);
  throw errorSaid(error, answer, reading);
}

function errorSaid(said: unknown, answer: OutgoingAnswer, { errors }: Reading): UpstreamError {
  const { status, headers } = answer;
  return errorOfAnswer({ status, headers, said }, errors);
}

/**
 * OpenAI's events, Ark's, and those of gateways that send a whole answer as one event: whatever
 * event has a picture that is not called partial has the final one.
 */
async function* readEvents(
  answer: OutgoingAnswer,
  begun: { opened: BegunAnswer; pictureTexts: PictureTexts },
  reading: Reading,
): AsyncGenerator<AnswerPart, void, void> {
  let picture: AnsweredPicture | null = null;
  let tokens: UpstreamTokens | null = null;
  try {
    for await (const event of readEventStream(answer, begun)) {
      const found = pictureOrError(event.data, answer, reading);
      if (typeOf(event) === 'error') throw errorSaid(event.data, answer, reading);
      if (typeOf(event).endsWith('partial_image')) {
        const image = found && 'image' in found.source ? found.source.image : null;
        if (image && isShowable(image)) yield { kind: 'partial', image };
        else dropPictures(event.data);
        continue;
      }
      if (!found || picture) dropPictures(event.data);
      picture ??= found;
      tokens = readTokens(event.data) ?? tokens;
      if (picture && isLast(event)) {
        answer.body.letEnd?.();
        break;
      }
    }
  } catch (error) {
    // The picture is whole; what broke is what would have come behind it.
    const isBehind = picture !== null && error instanceof UpstreamError;
    if (!isBehind || error.fault === 'refused') throw error;
  }
  if (!picture) throw brokenAnswer(answer, 'the stream ended without a picture');
  yield { kind: 'picture', ...picture, tokens: picture.tokens ?? tokens };
}

function isLast(event: StreamedEvent): boolean {
  return typeOf(event).endsWith('.completed');
}

function typeOf({ name, data }: StreamedEvent): string {
  const type = typeof data === 'object' && data !== null && 'type' in data ? data.type : null;
  return typeof type === 'string' ? type : (name ?? '');
}
