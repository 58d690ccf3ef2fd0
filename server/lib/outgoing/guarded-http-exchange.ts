/** One request and its answer over a dispatcher, wherever that may lead. */
import { Readable } from 'node:stream';
import { type Dispatcher, FormData, request } from 'undici';
import { blocksOf, lengthOfBody } from '../bytes/body-pieces.ts';
import { decodedBody } from './guarded-http-decode.ts';
import type { OutgoingAnswer } from './outgoing-answer.ts';
import { outgoingErrorOf } from './outgoing-error.ts';
import {
  type AnyForm,
  type Exchange,
  headersOf,
  isForm,
  orAborted,
  refuseUnsendable,
} from './outgoing-request.ts';

const sliceBytes = 64 * 1024;

/** Rejects with an OutgoingError or the signal's reason. */
export async function exchange(
  dispatcher: Dispatcher,
  wanted: Exchange,
  signal: AbortSignal,
): Promise<OutgoingAnswer> {
  refuseUnsendable(wanted.headers);
  const { body, length, isTaken } = encodeBody(wanted.body);
  const headers: Record<string, string> = {
    ...headersOf(wanted.headers),
    ...(length === null ? {} : { 'content-length': String(length) }),
  };
  try {
    signal.throwIfAborted();
    const { method, url } = wanted;
    const asked = request(url, { dispatcher, method, headers, body, signal });
    return openAnswer(await orAborted(asked, signal), signal);
  } catch (error) {
    signal.throwIfAborted();
    throw outgoingErrorOf(error, { isUnsent: !isTaken() });
  }
}

/**
 * In slices, because the time to the first byte of an answer is counted from the last piece that
 * was written: a large body on a slow line must not use it up.
 */
function encodeBody(body: Exchange['body']): {
  body: string | Readable | FormData | null;
  length: number | null;
  /** Whether undici has all of it; what it has done with it, it does not say. */
  isTaken: () => boolean;
} {
  const isTaken = () => true;
  if (body === null || typeof body === 'string') return { body, length: null, isTaken };
  if (isForm(body)) return { body: adoptForm(body), length: null, isTaken };
  const pieces = Buffer.isBuffer(body) ? [body] : body;
  const length = lengthOfBody(pieces);
  let left = length;
  function* blocks() {
    for (const block of blocksOf(pieces, sliceBytes)) {
      left -= block.length;
      yield block;
    }
  }
  const stream = Readable.from(blocks(), { objectMode: false });
  return { body: stream, length, isTaken: () => left === 0 };
}

/** undici knows only its own FormData; that of Node is another class with the same fields. */
function adoptForm(form: AnyForm): FormData {
  if (form instanceof FormData) return form;
  const adopted = new FormData();
  for (const [name, value] of form) {
    if (typeof value === 'string') adopted.append(name, value);
    else adopted.append(name, value, value.name);
  }
  return adopted;
}

function openAnswer(answer: Dispatcher.ResponseData, signal: AbortSignal): OutgoingAnswer {
  const { statusCode, body } = answer;
  // A body that is left unread fails when the connection goes, and nobody may be listening then.
  body.on('error', () => {});
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(answer.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  const encoding = headers['content-encoding'] ?? '';
  const discard = () => void body.destroy();
  return {
    status: statusCode,
    headers,
    body: decodedBody({ pieces: rawPieces(body), encoding, signal, discard }),
    discard,
  };
}

async function* rawPieces(body: Readable): AsyncGenerator<Buffer, void, void> {
  try {
    // A body without an encoding of characters is made of buffers.
    yield* body as AsyncIterable<Buffer>;
  } catch (error) {
    throw outgoingErrorOf(error);
  }
}
