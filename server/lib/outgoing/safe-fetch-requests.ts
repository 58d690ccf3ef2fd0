/** The requests of a safe fetch, which undici sends; only loaded when there is one. */
import { Agent, type Dispatcher, request } from 'undici';
import { imageLimits } from '../../../shared/limits.ts';
import { abortOf } from '../abort.ts';
import { ByteCollector } from '../bytes/byte-collector.ts';
import type { Clock } from '../clock.ts';
import { startDeadline } from '../deadline.ts';
import { ServiceError } from '../service-error.ts';
import type { MayConnect, ResolveHost } from './guarded-address.ts';
import { guardConnections } from './guarded-connect.ts';
import { leavesHttps, readUrl } from './guarded-url.ts';
import { codeSuffixOf } from './outgoing-error.ts';

const fetchTimeoutMsDefault = 10_000;
const redirectsMax = 3;
const headerBytesMax = 16_384;
const postAnswerBytesMax = 65_536;

export interface FetchImageOptions {
  /** The request field the URL stands in. */
  param: string;
  signal?: AbortSignal;
  bytesMax?: number;
  /** For everything together: DNS, redirects, and the last byte. */
  timeoutMs?: number | undefined;
}

export interface PostOptions {
  headers: Readonly<Record<string, string>>;
  body: string;
  /** For everything together, up to the status. */
  timeoutMs: number;
  signal?: AbortSignal;
}

/** A reason holds codes and words of ours, never anything of the URL or the answer. */
export type PostOutcome = { kind: 'answered'; status: number } | { kind: 'failed'; reason: string };

interface Guard {
  clock: Clock;
  resolve: ResolveHost;
  mayConnect: MayConnect;
}

/** What `FetchImage` says. */
export async function fetchImage(
  url: string,
  options: FetchImageOptions,
  { clock, resolve, mayConnect }: Guard,
): Promise<Buffer> {
  const { bytesMax = imageLimits.fileBytesMax, timeoutMs = fetchTimeoutMsDefault } = options;
  const deadline = startDeadline(clock, timeoutMs);
  const signal = AbortSignal.any([deadline.signal, ...(options.signal ? [options.signal] : [])]);
  // An agent of its own: nobody else's request ever travels on a connection a caller chose.
  const connect = guardConnections(resolve, mayConnect);
  const dispatcher = new Agent({ connect, maxHeaderSize: headerBytesMax });
  try {
    // Raced, because undici does not heed the signal while a connection is being opened.
    return await Promise.race([follow(url, { dispatcher, signal, bytesMax }), abortOf(signal)]);
  } catch (cause) {
    options.signal?.throwIfAborted();
    const rule =
      'It must be a public http(s) URL that answers with the picture itself: ' +
      `at most ${bytesMax} bytes, within ${timeoutMs / 1000} seconds.`;
    const message = `${options.param} could not be fetched. ${rule}`;
    throw new ServiceError('invalid_request_error', message, { param: options.param, cause });
  } finally {
    deadline.end();
    // Nobody waits for it: a name that is still being resolved would hold it up.
    void dispatcher.destroy();
  }
}

/** What `Post` says. */
export async function post(url: string, options: PostOptions, clock: Clock): Promise<PostOutcome> {
  const { headers, body, timeoutMs } = options;
  const deadline = startDeadline(clock, timeoutMs);
  const signal = AbortSignal.any([deadline.signal, ...(options.signal ? [options.signal] : [])]);
  const dispatcher = new Agent({ maxHeaderSize: headerBytesMax });
  try {
    const answer = await Promise.race([
      request(readUrl(url), {
        method: 'POST',
        dispatcher,
        signal,
        headers: { ...headers, 'user-agent': 'tintype' },
        body,
      }),
      abortOf(signal),
    ]);
    answer.body.on('error', () => {});
    // Read so that the other side may end as it likes, within limits; the deadline ends this too.
    await answer.body.dump({ limit: postAnswerBytesMax }).catch(() => {});
    return { kind: 'answered', status: answer.statusCode };
  } catch (error) {
    options.signal?.throwIfAborted();
    if (deadline.signal.aborted) return { kind: 'failed', reason: 'no answer in time' };
    return { kind: 'failed', reason: `no connection${codeSuffixOf(error)}` };
  } finally {
    deadline.end();
    void dispatcher.destroy();
  }
}

interface Hop {
  dispatcher: Dispatcher;
  signal: AbortSignal;
  bytesMax: number;
}

async function follow(url: string, hop: Hop): Promise<Buffer> {
  let target = readUrl(url);
  for (let redirects = 0; redirects <= redirectsMax; redirects++) {
    const answer = await ask(target, hop);
    const location = redirectOf(answer);
    if (location === null) return await readBody(answer, hop.bytesMax);
    answer.body.destroy();
    const next = readUrl(location, target);
    if (leavesHttps(target, next)) throw new Error('a redirect leads away from https');
    target = next;
  }
  throw new Error('too many redirects');
}

async function ask(url: URL, { dispatcher, signal }: Hop): Promise<Dispatcher.ResponseData> {
  const headers = {
    accept: 'image/png, image/jpeg, image/webp',
    'accept-encoding': 'identity',
    'user-agent': 'tintype',
  };
  const answer = await request(url, { dispatcher, signal, headers });
  // A body that is left unread fails when the connection goes, and nobody may be listening then.
  answer.body.on('error', () => {});
  return answer;
}

/** Where the answer sends us, or null when it is the answer itself. */
function redirectOf({ statusCode, headers }: Dispatcher.ResponseData): string | null {
  if (![301, 302, 303, 307, 308].includes(statusCode)) return null;
  if (typeof headers['location'] !== 'string') throw new Error('a redirect without a location');
  return headers['location'];
}

async function readBody(answer: Dispatcher.ResponseData, bytesMax: number): Promise<Buffer> {
  const { statusCode, headers, body } = answer;
  const encoding = String(headers['content-encoding'] ?? '').toLowerCase();
  if (statusCode !== 200) throw new Error(`answered with status ${statusCode}`);
  // A compressed body could grow without end, and no picture needs it.
  const isPlain = encoding === '' || encoding === 'identity';
  if (!isPlain) throw new Error('answered in an encoding that was not asked for');
  if (Number(headers['content-length'] ?? 0) > bytesMax) throw new Error('announced as too large');
  const collector = new ByteCollector(bytesMax);
  const pieces: AsyncIterable<Buffer> = body;
  for await (const piece of pieces) {
    if (!collector.add(piece)) throw new Error('too large');
  }
  return collector.take();
}
