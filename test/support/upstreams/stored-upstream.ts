import { type Upstream, upstreamLimitsDefault } from '../../../server/catalog/upstream.ts';

/** An upstream as the catalog stores it: enabled, keyless, with the limits that a new one has. */
export function storedUpstream(changed: Partial<Upstream> = {}): Upstream {
  return {
    id: 'up_studio',
    name: 'studio',
    kind: 'sandbox',
    baseUrl: null,
    settings: {},
    limits: upstreamLimitsDefault,
    sealedProxy: null,
    enabled: true,
    disabledReason: null,
    priority: 0,
    weight: 1,
    createdAt: 1,
    begunTimes: 0,
    ...changed,
  };
}
