/**
 * Reads an answer of `POST /responses` up to its picture and no further.
 *
 * The picture is whole in the `response.output_item.done` of the image call. After it the host
 * model may still write a message, and `response.completed` carries the picture a second time with
 * the token counts behind it. Nobody waits for that: the connection is closed as soon as the
 * picture is here, and the token counts are known only where it did not come before the end.
 */
import type { OutgoingAnswer } from '../../lib/outgoing/outgoing-answer.ts';
import type { UpstreamEvent, UpstreamTokens, UpstreamWarning } from '../upstream.ts';
import { readRest } from '../wire/answer-reader.ts';
import { dropPictures, jsonOf, statedBy } from '../wire/ask.ts';
import { readErrorSaid, saysError } from '../wire/error-said.ts';
import { readEventStream } from '../wire/event-stream.ts';
import { looksLikeEvents } from '../wire/look-ahead.ts';
import { isShowable } from '../wire/picture-text.ts';
import { PictureTexts } from '../wire/picture-texts.ts';
import { failure, failureSaid, type Standing } from './failures.ts';
import {
  failureOf,
  isRefusal,
  type MadePicture,
  type OutputItem,
  pictureOf,
  type ResponseBody,
  readResponse,
  tokensOf,
} from './output.ts';
import { readTold, type Told } from './stream-event.ts';

/** The picture; nothing more is read of what it came in. */
export interface ReadPicture extends MadePicture {
  tokens: UpstreamTokens | null;
  upstreamRequestId: string | null;
  warnings: readonly UpstreamWarning[];
}

interface Reading extends Standing {
  /** Whether the service has said that it took the job on. */
  isAccepted: boolean;
  hasDeclined: boolean;
  partialsMax: number;
  /** How many partial images were passed on; the next one's index. */
  partials: number;
  /** The service's own index of the last one seen. */
  lastUpstreamIndex: number;
}

export async function* readAnswer(
  answer: OutgoingAnswer,
  { partialImages }: { partialImages: number },
  pictureTexts = new PictureTexts(),
): AsyncGenerator<UpstreamEvent, ReadPicture, void> {
  const reading = begin(answer, partialImages);
  const { isEvents, opened } = await looksLikeEvents(answer, pictureTexts);
  // A gateway may not stream although it was asked to.
  if (!isEvents) {
    const document = jsonOf(await readRest(opened), answer);
    return orDropped(document, () => pictureOfDocument(document, reading));
  }

  for await (const event of readEventStream(answer, { opened, pictureTexts })) {
    const told = readTold(event);
    if (told.kind === 'nothing') {
      dropPictures(event.data);
      continue;
    }
    if (told.kind === 'error') throw failureSaid('the service failed', told.said, reading);
    if (told.kind === 'end') {
      answer.body.letEnd?.();
      return orDropped(event.data, () => pictureOfEnd(told.response, reading));
    }
    if (!reading.isAccepted) {
      reading.isAccepted = true;
      if (told.kind === 'progress') reading.upstreamRequestId ??= told.responseId;
      yield { kind: 'accepted', upstreamRequestId: reading.upstreamRequestId };
    }
    if (told.kind === 'item') {
      const picture = pictureOfItem(told.item, reading);
      if (picture) return made(picture, null, reading);
    }
    if (isShown(told, reading)) {
      yield { kind: 'partial', index: reading.partials++, image: told.image };
    } else dropPictures(event.data);
  }
  if (!reading.isAccepted) throw failure('protocol', 'the answer is no event stream', reading);
  throw failure('unavailable', 'the event stream ended before the response did', reading);
}

function begin(answer: OutgoingAnswer, partialsMax: number): Reading {
  const { status, upstreamRequestId } = statedBy(answer);
  return {
    status,
    upstreamRequestId: upstreamRequestId ?? null,
    isAccepted: false,
    hasDeclined: false,
    partialsMax,
    partials: 0,
    lastUpstreamIndex: -1,
  };
}

function isShown(told: Told, reading: Reading): told is Told & { kind: 'partial' } {
  return told.kind === 'partial' && isWanted(told.upstreamIndex, reading) && isShowable(told.image);
}

/** Whether it was asked for and is later than the last one: some gateways repeat themselves. */
function isWanted(upstreamIndex: number | null, reading: Reading): boolean {
  const index = upstreamIndex ?? reading.lastUpstreamIndex + 1;
  if (index <= reading.lastUpstreamIndex) return false;
  reading.lastUpstreamIndex = index;
  return reading.partials < reading.partialsMax;
}

function made(
  picture: MadePicture,
  tokens: UpstreamTokens | null,
  { upstreamRequestId, partials, partialsMax }: Reading,
): ReadPicture {
  const isUnseen = partialsMax > 0 && partials === 0;
  const warnings = isUnseen ? (['partial_images_ignored'] as const) : [];
  return { ...picture, tokens, upstreamRequestId, warnings };
}

function pictureOfItem(item: OutputItem, reading: Reading): MadePicture | null {
  const picture = pictureOf(item);
  if (picture) return picture;
  const said = failureOf(item);
  if (said) throw failureSaid('the image call failed', said, reading);
  reading.hasDeclined ||= isRefusal(item);
  return null;
}

function pictureOfDocument(document: unknown, reading: Reading): ReadPicture {
  if (saysError(document)) {
    throw failureSaid('the service failed', readErrorSaid(document), reading);
  }
  return pictureOfEnd(readResponse(document), reading);
}

/** What was said is needed no more when there is no picture in it. */
function orDropped<T>(said: unknown, read: () => T): T {
  try {
    return read();
  } catch (error) {
    dropPictures(said);
    throw error;
  }
}

/** The end of a response: its picture, if it was not told before, or the reason for none. */
function pictureOfEnd(response: ResponseBody, reading: Reading): ReadPicture {
  reading.upstreamRequestId ??= response.id ?? null;
  for (const item of response.output ?? []) {
    const picture = item && pictureOfItem(item, reading);
    if (picture) return made(picture, tokensOf(response), reading);
  }
  const { error = null, status, incomplete_details: incomplete } = response;
  if (error !== null || status === 'failed') {
    throw failureSaid('the response failed', readErrorSaid({ error }), reading);
  }
  if (incomplete?.reason) {
    const said = { code: incomplete.reason, type: null, param: null, message: null };
    throw failureSaid('the response is incomplete', said, reading);
  }
  if (reading.hasDeclined) throw failure('refused', 'the host model declined', reading, 'refusal');
  throw failure('protocol', 'the host model answered without a picture', reading);
}
