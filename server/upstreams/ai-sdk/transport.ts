/**
 * The `fetch` that the AI SDK gets for one picture, and all that it may do to the outside.
 *
 * - To the service's own origins goes a request that is built here: the SDK's body with the
 *   pictures in it, and the credential, which the SDK never had. Any other address is a download,
 *   through the guard and without credential.
 * - Of an answer the SDK sees JSON with tickets for pictures, or a ticket alone. Sizes, depth and
 *   compression are limited before that.
 * - What fails here is an UpstreamError, and remembered: whatever the SDK makes of it, that is what
 *   the attempt ends with.
 */

import type { OutgoingAnswer } from '../../lib/outgoing/outgoing-answer.ts';
import type { EncodedImage } from '../../lib/pictures/encoded-image.ts';
import { sniffFormat } from '../../lib/pictures/sniff-format.ts';
import { UpstreamError, type UpstreamTokens } from '../upstream.ts';
import { parseAnswer, readBytes, upstreamErrors } from '../wire/ask.ts';
import { saysError } from '../wire/error-said.ts';
import { insist, ofTakenJob, UnreadableAnswer } from '../wire/insist.ts';
import { answerLimits } from '../wire/limits.ts';
import { jsonBody, pictureOfText } from '../wire/picture-text.ts';
import { requestIdOf } from '../wire/request-id.ts';
import { restated } from '../wire/restated.ts';
import type { Cloakroom } from './cloakroom.ts';
import type { Service } from './service.ts';

export interface TransportOptions {
  service: Service;
  cloakroom: Cloakroom;
  /** What becomes of the body of the request that asks for the picture. */
  complete: (wish: unknown) => unknown;
}

interface Wish {
  method: 'GET' | 'POST';
  url: URL;
  body: string | null;
  headers: Headers;
  /** The SDK follows redirects itself and looks where they lead. */
  followsRedirects: boolean;
}

export class SdkTransport {
  readonly #service: Service;
  readonly #cloakroom: Cloakroom;
  readonly #complete: (wish: unknown) => unknown;
  readonly #accepted = Promise.withResolvers<string | null>();
  #mainUrl: string | null = null;
  #failure: UpstreamError | null = null;
  #jobId: string | null = null;
  #answeredId: string | null = null;
  #isPending = false;
  #wasAnswered = false;
  #tokens: UpstreamTokens | null = null;

  constructor({ service, cloakroom, complete }: TransportOptions) {
    this.#service = service;
    this.#cloakroom = cloakroom;
    this.#complete = complete;
  }

  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const isLate = this.#wasAnswered;
    try {
      this.#service.signal.throwIfAborted();
      const wish = readWish(input, init);
      return isLate
        ? await insist(() => this.#exchange(wish), this.#service)
        : await this.#exchange(wish);
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      this.#failure ??= this.#asKnownHere(error, { isLate });
      throw this.#failure;
    }
  };

  /** Resolves when the service has taken the job on without having done it; else never. */
  get accepted(): Promise<string | null> {
    return this.#accepted.promise;
  }

  /** The service's name for a job that it has taken on and not finished. */
  get runningJobId(): string | null {
    return this.#isPending ? this.#jobId : null;
  }

  get upstreamRequestId(): string | null {
    return this.#jobId ?? this.#answeredId;
  }

  get tokens(): UpstreamTokens | null {
    return this.#tokens;
  }

  /** Why the SDK could not go on, when that was here. */
  get failure(): UpstreamError | null {
    return this.#failure;
  }

  /** Whether the SDK had anything to send. */
  get wasAsked(): boolean {
    return this.#mainUrl !== null;
  }

  /** Whether the service has answered, and so may have done the work. */
  get wasAnswered(): boolean {
    return this.#wasAnswered;
  }

  /** Whether the last thing it said was that it is still at work. */
  get isPending(): boolean {
    return this.#isPending;
  }

  async #exchange(wish: Wish): Promise<Response> {
    if (wish.url.protocol === 'data:') return this.#inline(wish.url);
    if (!this.#service.isOwn(wish.url)) return this.#present(await this.#download(wish.url), {});
    const answer = await this.#ask(wish);
    if (answer.status >= 300) {
      answer.discard();
      const { location = '' } = answer.headers;
      return new Response(null, { status: answer.status, headers: { location } });
    }
    const isPicture = answer.headers['content-type']?.startsWith('image/') ?? false;
    const { documentBytesMax, pictureBytesMax } = answerLimits;
    const bytes = await readBytes(answer, isPicture ? pictureBytesMax : documentBytesMax);
    this.#answeredId ??= requestIdOf(answer.headers);
    return this.#present(bytes, answer.headers);
  }

  async #ask({ method, url, body, headers, followsRedirects }: Wish): Promise<OutgoingAnswer> {
    if (method === 'GET') return await this.#service.ask({ method, url }, { followsRedirects });
    const said: unknown = JSON.parse(body ?? 'null');
    const pieces = jsonBody(this.#cloakroom.withPictures(this.#completed(url, said)));
    return await this.#service.ask({ method, url, headers: keptHeaders(headers), body: pieces });
  }

  /** The first thing posted asks for the picture; asking twice would be paying twice. */
  #completed(url: URL, said: unknown): unknown {
    if (url.href === this.#mainUrl) {
      throw new UpstreamError('protocol', 'the AI SDK asked for a second picture');
    }
    if (this.#mainUrl !== null) return said;
    this.#mainUrl = url.href;
    return this.#complete(said);
  }

  async #download(url: URL): Promise<Buffer> {
    const { http, signal } = this.#service;
    const options = { signal, bytesMax: answerLimits.pictureBytesMax };
    return await upstreamErrors(http.download(url.href, options), { wasAnswered: true });
  }

  /** An answer as the SDK may see it. */
  #present(bytes: Buffer, headers: Readonly<Record<string, string>>): Response {
    this.#wasAnswered = true;
    if (!looksLikeJson(bytes)) return this.#presentPicture({ encoding: 'raw', bytes }, headers);
    const parsed = parseAnswer(bytes);
    if (parsed.kind === 'broken') {
      throw unreadable(`the answer is not usable JSON (${parsed.reason})`);
    }
    this.#readNews(parsed.value, headers);
    if (saysError(parsed.value)) {
      throw this.#service.errorOf({ status: successStatus, headers, said: parsed.value });
    }
    const said = this.#service.vendor.rephrase?.(parsed.value) ?? parsed.value;
    return Response.json(this.#cloakroom.withTickets(this.#finished(said)));
  }

  /** An answer without what only shows how far the job has come. */
  #finished(said: unknown): unknown {
    const { growingMember } = this.#service.vendor;
    if (growingMember === undefined || typeof said !== 'object' || said === null) return said;
    const shown = Object.getOwnPropertyDescriptor(said, growingMember)?.value as unknown;
    const result = Array.isArray(shown) ? shown.slice(-1) : shown;
    return { ...said, [growingMember]: this.#isPending ? null : result };
  }

  #presentPicture(
    picture: EncodedImage & { encoding: 'raw' },
    headers: Readonly<Record<string, string>>,
  ): Response {
    this.#readNews(null, headers);
    if (sniffFormat(picture) === null) {
      throw unreadable('answered with neither JSON nor a picture');
    }
    return new Response(this.#cloakroom.take(picture));
  }

  #readNews(said: unknown, headers: Readonly<Record<string, string>>): void {
    const news = this.#service.vendor.readAnswer?.(said, headers) ?? {};
    this.#jobId ??= news.jobId ?? null;
    this.#tokens ??= news.tokens ?? null;
    this.#isPending = news.isPending ?? false;
    if (this.#isPending) this.#accepted.resolve(this.#jobId);
  }

  /** A picture within the answer, as a data URL: ours, with a ticket in it, or a short one. */
  #inline(url: URL): Response {
    const picture = pictureOfText(url.href);
    if (picture?.encoding !== 'base64') {
      throw new UpstreamError('protocol', 'answered with a data URL that is no picture');
    }
    const text = picture.ascii.toString('latin1');
    return new Response(this.#cloakroom.give(text) ? text : this.#cloakroom.take(picture));
  }

  /** Once the service has answered, the work may have been done. */
  #asKnownHere(error: UpstreamError, { isLate }: { isLate: boolean }): UpstreamError {
    const { upstreamRequestId } = this;
    if (isLate) return ofTakenJob(error, upstreamRequestId);
    const possiblyCharged = error.possiblyCharged || this.#wasAnswered;
    return restated(error, { possiblyCharged, upstreamRequestId });
  }
}

const successStatus = 200;

/** Everything else that the SDK says of itself, and its placeholder for a key, stays here. */
function keptHeaders(headers: Headers): Record<string, string> {
  const names = ['accept', 'content-type', 'prefer'];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
}

function readWish(...[input, init = {}]: Parameters<typeof globalThis.fetch>): Wish {
  const { method = 'GET', body = null, redirect } = init;
  const isKnown = method === 'GET' || method === 'POST';
  if (input instanceof Request || !isKnown || (body !== null && typeof body !== 'string')) {
    throw new UpstreamError('unsupported', 'the AI SDK asked in a way that is not known');
  }
  return {
    method,
    url: new URL(input),
    body,
    headers: new Headers(init.headers),
    followsRedirects: redirect === 'manual',
  };
}

function unreadable(words: string): UpstreamError {
  return new UpstreamError('protocol', words, { cause: new UnreadableAnswer(words) });
}

const openings = new Set([0x5b, 0x7b]);
const blanks = new Set([0x09, 0x0a, 0x0d, 0x20]);

function looksLikeJson(bytes: Buffer): boolean {
  const first = bytes.find((byte) => !blanks.has(byte));
  return first !== undefined && openings.has(first);
}
