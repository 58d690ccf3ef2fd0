import type { Upstream, UpstreamKey } from '../catalog/upstream.ts';
import type { Clock } from '../lib/clock.ts';
import type { SecretBox } from '../lib/secret-box.ts';
import { invalidRequest } from '../lib/service-error.ts';
import { type ConnectionSettings, createAdapter } from '../upstreams/adapter-pool.ts';
import {
  type Adapter,
  type AdapterKind,
  type UpstreamConfig,
  type UpstreamContext,
  UpstreamError,
} from '../upstreams/upstream.ts';

/** What it takes to speak to a configured upstream. */
export interface UpstreamAccess {
  kinds: ReadonlyMap<string, AdapterKind>;
  secretBox: SecretBox;
}

/** An upstream, and the one of its keys to ask it with. */
export interface AskedUpstream {
  upstream: Upstream;
  key: UpstreamKey | null;
}

interface Question extends AskedUpstream {
  clock: Clock;
  signal?: AbortSignal;
  /** How long it may take. */
  waitMs?: number;
}

const answerWaitMs = 30_000;

/** Builds an upstream's adapter for one question and takes it down again, whatever the answer. */
export async function askUpstream<T>(
  { kinds, secretBox }: UpstreamAccess,
  { upstream, key, clock, signal, waitMs = answerWaitMs }: Question,
  question: (adapter: Adapter, context: UpstreamContext) => Promise<T>,
): Promise<T> {
  const credential = key === null ? null : secretBox.open(key.sealedCredential, upstream.id);
  const adapter = buildAdapter(kinds, { ...upstream, proxy: openProxy(upstream, secretBox) });
  const asked = new AbortController();
  const answered = new AbortController();
  clock.sleep(waitMs, answered.signal).then(
    () => asked.abort(new UpstreamError('timeout', `no answer within ${waitMs / 1000} s`)),
    () => {},
  );
  // By hand, so that the signal of a service that runs for months keeps nothing of its questions.
  const stop = () => asked.abort(signal?.reason);
  if (signal?.aborted) stop();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    return await question(adapter, { signal: asked.signal, clock, credential });
  } finally {
    signal?.removeEventListener('abort', stop);
    answered.abort();
    await adapter.close();
  }
}

/** Refuses a configuration with which its adapter could not work. Says nothing of keys. */
export async function checkUpstreamConfig(
  kinds: ReadonlyMap<string, AdapterKind>,
  config: BuildConfig,
): Promise<void> {
  await buildAdapter(kinds, config).close();
}

export function openProxy(
  { id, sealedProxy }: Pick<Upstream, 'id' | 'sealedProxy'>,
  secretBox: SecretBox,
): string | null {
  return sealedProxy === null ? null : secretBox.open(sealedProxy, id);
}

type BuildConfig = UpstreamConfig & ConnectionSettings & { kind: string };

function buildAdapter(kinds: ReadonlyMap<string, AdapterKind>, config: BuildConfig): Adapter {
  return createAdapter(kindNamed(kinds, config.kind), config, config);
}

function kindNamed(kinds: ReadonlyMap<string, AdapterKind>, name: string): AdapterKind {
  const kind = kinds.get(name);
  if (kind) return kind;
  const known = [...kinds.keys()].join(', ');
  throw invalidRequest('kind', `There is no adapter kind ${name}; known: ${known}.`);
}
