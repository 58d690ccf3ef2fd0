import type { Upstream, UpstreamKey } from '../../catalog/upstream.ts';
import type { Clock } from '../../lib/clock.ts';
import { OperatorError } from '../../lib/operator-error.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { invalidRequest, ServiceError } from '../../lib/service-error.ts';
import type { AdapterKind, UpstreamConfig } from '../../upstreams/adapter-kind.ts';
import { type ConnectionSettings, createAdapter } from '../../upstreams/adapter-pool.ts';
import { hasPlaceholderHost, isSameHost } from '../../upstreams/placeholder-host.ts';
import { type Adapter, type UpstreamContext, UpstreamError } from '../../upstreams/upstream.ts';

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
  const credential = key === null ? null : openCredential(upstream, key, secretBox);
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

/**
 * Waits for `work`, and turns the failure of an upstream, or a stored secret that does not open, into an error
 * that an administrator may read.
 */
export async function tellingUpstreamErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    // The secret's name and why it does not open: an administrator of upstreams may know both.
    if (error instanceof OperatorError) {
      throw new ServiceError('unavailable', `${error.message}.`, {
        retryable: false,
        cause: error,
      });
    }
    if (!(error instanceof UpstreamError)) throw error;
    const status = error.status === null ? '' : `, status ${error.status}`;
    throw new ServiceError(
      'upstream_error',
      `The upstream failed (${error.fault}${status}): ${error.message}.`,
      { retryable: false, cause: error },
    );
  }
}

/** Refuses a configuration with which its adapter could not work. Says nothing of keys. */
export async function checkUpstreamConfig(
  kinds: ReadonlyMap<string, AdapterKind>,
  config: BuildConfig,
): Promise<void> {
  refusePlaceholder(kindNamed(kinds, config.kind), config);
  await buildAdapter(kinds, config).close();
}

/** A preset's base URL may have a part that only the operator can know. */
function refusePlaceholder(kind: AdapterKind, { baseUrl }: BuildConfig): void {
  if (
    !kind.presets.some(
      (preset) => hasPlaceholderHost(preset) && isSameHost(preset.baseUrl, baseUrl),
    )
  )
    return;
  throw invalidRequest(
    'base_url',
    `${baseUrl} is an example: give the base URL that your account has.`,
  );
}

export function openProxy(
  { id, name, sealedProxy }: Pick<Upstream, 'id' | 'name' | 'sealedProxy'>,
  secretBox: SecretBox,
): string | null {
  if (sealedProxy === null) return null;
  return opening(`the proxy of ${name}`, () => secretBox.open(sealedProxy, id));
}

function openCredential(upstream: Upstream, key: UpstreamKey, secretBox: SecretBox): string {
  return opening(`the key ${upstream.name}/${key.name}`, () =>
    secretBox.open(key.sealedCredential, upstream.id),
  );
}

/** The box knows rows only; whoever reads its error knows names. */
function opening(what: string, open: () => string): string {
  try {
    return open();
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    throw new OperatorError(`${what} does not open: ${error.message}`, { cause: error });
  }
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
