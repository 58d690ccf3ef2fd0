import { ServiceError } from '../lib/service-error.ts';
import type { Adapter, AdapterKind, UpstreamConfig } from './upstream.ts';

/** What identifies an upstream and the state of its configuration. */
export interface PooledUpstream extends UpstreamConfig {
  id: string;
  kind: string;
  /** Changes whenever the configuration does. */
  revision: string;
}

/** Keeps one adapter for each upstream in use and builds a new one when its configuration changes. */
export class AdapterPool {
  readonly #kinds: ReadonlyMap<string, AdapterKind>;
  readonly #adapters = new Map<string, { revision: string; adapter: Adapter }>();
  readonly #onCloseError: (error: unknown) => void;

  constructor(kinds: ReadonlyMap<string, AdapterKind>, onCloseError: (error: unknown) => void) {
    this.#kinds = kinds;
    this.#onCloseError = onCloseError;
  }

  get(upstream: PooledUpstream): Adapter {
    const pooled = this.#adapters.get(upstream.id);
    if (pooled?.revision === upstream.revision) return pooled.adapter;
    const adapter = this.#create(upstream);
    this.#adapters.set(upstream.id, { revision: upstream.revision, adapter });
    // Attempts under way keep the old adapter's own connections until they end.
    if (pooled) this.#close(pooled.adapter);
    return adapter;
  }

  async close(): Promise<void> {
    const adapters = [...this.#adapters.values()];
    this.#adapters.clear();
    await Promise.all(adapters.map(({ adapter }) => adapter.close()));
  }

  #create(upstream: PooledUpstream): Adapter {
    const kind = this.#kinds.get(upstream.kind);
    if (!kind) {
      throw new ServiceError('model_unavailable', 'This model has no usable upstream.', {
        cause: new Error(`upstream ${upstream.name} has the unknown kind ${upstream.kind}`),
        retryable: false,
      });
    }
    return kind.create(upstream);
  }

  #close(adapter: Adapter): void {
    adapter.close().catch(this.#onCloseError);
  }
}
