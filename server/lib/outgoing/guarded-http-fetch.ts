/**
 * A standard `fetch` over the guard, for libraries that bring their own protocol code.
 *
 * Requests and answers are the platform's own objects, but the way between them is ours, so that
 * limits, redirects and problems are the same as everywhere: it rejects with an OutgoingError or
 * the signal's reason, never with a TypeError that hides one.
 */
import { type Routes, redirectOf, redirectsMax } from './guarded-http-routes.ts';
import type { OutgoingAnswer } from './outgoing-answer.ts';
import { OutgoingError } from './outgoing-error.ts';
import { type Exchange, isForm, orAborted } from './outgoing-request.ts';

const answerBytesMax = 64 * 1_048_576;

/** All that a foreign origin is told; whatever else a library sends may be a credential. */
const foreignHeaders = ['accept', 'accept-language', 'content-type', 'range', 'user-agent'];
/** What a connection says for itself. */
const connectionHeaders = ['connection', 'content-length', 'host', 'keep-alive'];
const bodilessStatuses = [204, 205, 304];

type FetchArguments = Parameters<typeof globalThis.fetch>;

export async function guardedFetch(
  routes: Routes,
  ...[input, init]: FetchArguments
): Promise<Response> {
  const signal = signalOf(input, init);
  signal.throwIfAborted();
  const request = readRequest(input, init);
  let wanted = await orAborted(toExchange(request, init?.body, routes), signal);
  for (let redirects = 0; redirects <= redirectsMax; redirects++) {
    const answer = await routes.ask(withoutCredentials(wanted, routes), signal);
    const location = request.redirect === 'manual' ? null : redirectOf(answer);
    if (location === null) return toResponse(answer, wanted, { redirected: redirects > 0 });
    answer.discard();
    if (request.redirect === 'error') {
      throw new OutgoingError('forbidden', 'a redirect that was not wanted');
    }
    wanted = redirectedTo(routes.read(location, wanted.url), wanted, { answer, routes });
  }
  throw new OutgoingError('forbidden', 'too many redirects');
}

function signalOf(...[input, init]: FetchArguments): AbortSignal {
  const ofInput = input instanceof Request ? input.signal : null;
  return init?.signal ?? ofInput ?? new AbortController().signal;
}

/** Without a form, of which the platform would make a string where it is not of its own class. */
function readRequest(...[input, init]: FetchArguments): Request {
  return new Request(input, isForm(init?.body) ? { ...init, body: null } : init);
}

async function toExchange(request: Request, given: unknown, routes: Routes): Promise<Exchange> {
  const headers = Object.fromEntries(
    [...request.headers].filter(([name]) => !connectionHeaders.includes(name)),
  );
  const { method } = request;
  const url = routes.read(request.url);
  if (isForm(given)) return { method, url, headers, body: given };
  // Whole, so that its length is known and a redirect may send it again.
  const body = request.body ? Buffer.from(await request.arrayBuffer()) : null;
  return { method, url, headers, body };
}

function withoutCredentials(wanted: Exchange, routes: Routes): Exchange {
  if (routes.isOwn(wanted.url)) return wanted;
  const kept = Object.entries(wanted.headers).filter(([name]) => foreignHeaders.includes(name));
  return { ...wanted, headers: Object.fromEntries(kept) };
}

/** As the fetch standard says, but a body is never carried over to a foreign origin. */
function redirectedTo(
  url: URL,
  wanted: Exchange,
  { answer, routes }: { answer: OutgoingAnswer; routes: Routes },
): Exchange {
  const { method, body } = wanted;
  const becomesGet =
    (answer.status === 303 && method !== 'HEAD') ||
    ([301, 302].includes(answer.status) && method === 'POST');
  if (becomesGet) {
    const kept = Object.entries(wanted.headers).filter(([name]) => !name.startsWith('content-'));
    return { method: 'GET', url, headers: Object.fromEntries(kept), body: null };
  }
  if (body !== null && !routes.isOwn(url)) {
    throw new OutgoingError('forbidden', 'a redirect would carry the request elsewhere');
  }
  return { ...wanted, url };
}

function toResponse(
  answer: OutgoingAnswer,
  { url }: Exchange,
  { redirected }: { redirected: boolean },
): Response {
  const { status, headers } = answer;
  if (status > 599) {
    answer.discard();
    throw new OutgoingError('status', 'answered with a status that does not exist');
  }
  const isBodiless = bodilessStatuses.includes(status);
  if (isBodiless) answer.discard();
  const response = new Response(isBodiless ? null : toStream(answer), { status, headers });
  // Libraries look at where an answer came from, which only a fetch of the platform may fill in.
  Object.defineProperties(response, {
    url: { value: url.href },
    redirected: { value: redirected },
  });
  return response;
}

/** Pulled by the reader alone; leaving it closes the connection. */
function toStream(answer: OutgoingAnswer): ReadableStream<Uint8Array> {
  const pieces = answer.body[Symbol.asyncIterator]();
  let length = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await pieces.next();
        if (next.done) {
          controller.close();
          return;
        }
        length += next.value.length;
        if (length > answerBytesMax) {
          answer.discard();
          throw new OutgoingError('too_large', 'too large');
        }
        controller.enqueue(next.value);
      },
      cancel: () => answer.discard(),
    },
    { highWaterMark: 0 },
  );
}
