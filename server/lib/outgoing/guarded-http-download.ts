import { ByteCollector } from '../bytes/byte-collector.ts';
import { type Routes, redirectOf, redirectsMax } from './guarded-http-routes.ts';
import type { OutgoingAnswer } from './outgoing-answer.ts';
import { OutgoingError } from './outgoing-error.ts';

export interface DownloadOptions {
  signal: AbortSignal;
  bytesMax: number;
  /** Sent to the service's own origins only. */
  headers?: Readonly<Record<string, string>>;
}

export async function download(
  url: string,
  options: DownloadOptions,
  routes: Routes,
): Promise<Buffer> {
  const { signal, bytesMax, headers = {} } = options;
  let target = routes.read(url);
  for (let redirects = 0; redirects <= redirectsMax; redirects++) {
    const ownHeaders = routes.isOwn(target) ? headers : {};
    const wanted = { method: 'GET', url: target, headers: ownHeaders, body: null };
    const answer = await routes.ask(wanted, signal);
    const location = redirectOf(answer);
    if (location === null) return await readWhole(answer, bytesMax);
    answer.discard();
    target = routes.read(location, target);
  }
  throw new OutgoingError('forbidden', 'too many redirects');
}

async function readWhole(answer: OutgoingAnswer, bytesMax: number): Promise<Buffer> {
  const { status, headers, body } = answer;
  if (status !== 200) {
    answer.discard();
    throw new OutgoingError('status', `answered with status ${status}`, { status });
  }
  if (Number(headers['content-length'] ?? 0) > bytesMax) {
    answer.discard();
    throw new OutgoingError('too_large', 'announced as too large');
  }
  const collector = new ByteCollector(bytesMax);
  for await (const piece of body) {
    if (!collector.add(piece)) throw new OutgoingError('too_large', 'too large');
  }
  return collector.take();
}
