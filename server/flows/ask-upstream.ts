import type { Upstream } from '../catalog/upstream.ts';
import type { Clock } from '../lib/clock.ts';
import type { SecretBox } from '../lib/secret-box.ts';
import { invalidRequest } from '../lib/service-error.ts';
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

const answerWaitMs = 30_000;

/** Builds an upstream's adapter for one question and takes it down again, whatever the answer. */
export async function askUpstream<T>(
  { kinds, secretBox }: UpstreamAccess,
  { upstream, clock }: { upstream: Upstream; clock: Clock },
  question: (adapter: Adapter, context: UpstreamContext) => Promise<T>,
): Promise<T> {
  const { name, baseUrl, settings } = upstream;
  const credential = openCredential(upstream, secretBox);
  const adapter = createAdapter(kinds, upstream.kind, { name, baseUrl, credential, settings });
  const asked = new AbortController();
  const answered = new AbortController();
  clock.sleep(answerWaitMs, answered.signal).then(
    () => asked.abort(new UpstreamError('timeout', `no answer within ${answerWaitMs / 1000} s`)),
    () => {},
  );
  try {
    return await question(adapter, { signal: asked.signal, clock });
  } finally {
    answered.abort();
    await adapter.close();
  }
}

/** Refuses a configuration with which its adapter could not work. */
export async function checkUpstreamConfig(
  kinds: ReadonlyMap<string, AdapterKind>,
  kind: string,
  config: UpstreamConfig,
): Promise<void> {
  await createAdapter(kinds, kind, config).close();
}

export function openCredential(
  { id, sealedCredential }: Pick<Upstream, 'id' | 'sealedCredential'>,
  secretBox: SecretBox,
): string | null {
  return sealedCredential === null ? null : secretBox.open(sealedCredential, id);
}

function createAdapter(
  kinds: ReadonlyMap<string, AdapterKind>,
  kindName: string,
  config: UpstreamConfig,
): Adapter {
  const kind = kinds.get(kindName);
  if (!kind) {
    const known = [...kinds.keys()].join(', ');
    throw invalidRequest('kind', `There is no adapter kind ${kindName}; known: ${known}.`);
  }
  if (kind.needsBaseUrl && config.baseUrl === null) {
    throw invalidRequest('base_url', `An upstream of kind ${kindName} needs a base URL.`);
  }
  if (kind.needsCredential && config.credential === null) {
    throw invalidRequest('credential', `An upstream of kind ${kindName} needs a credential.`);
  }
  return kind.create(config);
}
