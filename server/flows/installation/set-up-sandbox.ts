import { type Amount, parseAmount } from '../../../shared/money.ts';
import { findUpstream } from '../../catalog/upstream-store.ts';
import { must } from '../../lib/assert.ts';
import type { Admin } from '../admin-change.ts';
import { setEnabledOfModel } from '../models/enable-model.ts';
import { selectUpstreamModel } from '../models/select-upstream-model.ts';
import { setPrice } from '../models/set-price.ts';
import { addUpstream } from '../upstreams/add-upstream.ts';
import type { UpstreamAccess } from '../upstreams/ask-upstream.ts';
import { syncUpstreamModels } from '../upstreams/sync-upstream-models.ts';

interface Offer {
  modelId: string;
  upstreamModel: string;
  price: Amount;
}

/** The kind that draws test pictures, and earns nobody's money. */
export const sandboxKind = 'sandbox';
export const sandboxName = 'sandbox';
const offers: readonly Offer[] = [
  offer('gen-image-2.5-sunburst', 'sandbox-studio', '0.08'),
  offer('gen-image-2.5-flare', 'sandbox-quick', '0.04'),
  offer('gen-image-2', 'sandbox-classic', '0.03'),
];

/** Makes every specified model usable with test pictures. Does nothing where a sandbox is set up. */
export async function setUpSandbox(admin: Admin, access: UpstreamAccess): Promise<void> {
  if (await findUpstream(admin.database, sandboxName)) return;
  await addUpstream(admin, access, {
    name: sandboxName,
    kind: sandboxKind,
    baseUrl: null,
    credential: null,
    settings: {},
    priority: 0,
    weight: 1,
  });
  await syncUpstreamModels(admin, access, sandboxName);
  for (const { modelId, upstreamModel, price } of offers) {
    await selectUpstreamModel(admin, { modelId, upstream: sandboxName, upstreamModel });
    await setPrice(admin, { modelId, price });
    await setEnabledOfModel(admin, { modelId, enabled: true });
  }
}

function offer(modelId: string, upstreamModel: string, price: string): Offer {
  return { modelId, upstreamModel, price: must(parseAmount(price), `the price ${price}`) };
}
