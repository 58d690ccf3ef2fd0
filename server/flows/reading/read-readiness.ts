import { hasAdmin, hasApiKey } from '../../accounts/user-search-store.ts';
import { type CatalogRecords, servedModels } from '../../catalog/catalog.ts';
import { readCatalogRecords } from '../../catalog/catalog-cache.ts';
import { whyUnavailable } from '../../catalog/model.ts';
import { listFetchedUpstreams } from '../../catalog/selection-store.ts';
import { listUpstreamChecks, type UpstreamCheck } from '../../catalog/upstream-check-store.ts';
import type { Db } from '../../db/db.ts';
import { hasCharge, hasFundedWallet } from '../../wallets/wallet-list-store.ts';
import { sandboxKind } from '../installation/set-up-sandbox.ts';

/** `unknown` where only a test from outside would tell; `not_needed` where it does not apply. */
export type ReadinessState = 'done' | 'open' | 'unknown' | 'not_needed';

/** What it takes to serve others, each derived from how things are: nothing is remembered as done. */
export interface Readiness {
  adminAccount: ReadinessState;
  upstreamConnected: ReadinessState;
  modelListChosen: ReadinessState;
  priceEnabled: ReadinessState;
  modelAvailable: ReadinessState;
  walletFunded: ReadinessState;
  keyCreated: ReadinessState;
  firstPicture: ReadinessState;
  https: ReadinessState;
  baseUrl: ReadinessState;
  proxyStreams: ReadinessState;
  sandboxOff: ReadinessState;
}

/** How browsers reach the service, as far as its options and the request that asks say. */
export interface Reach {
  isSecure: boolean;
  hasBaseUrl: boolean;
  hasProxy: boolean;
}

export async function readReadiness(db: Db, reach: Reach): Promise<Readiness> {
  const records = await readCatalogRecords(db);
  const { models } = records;
  const served = servedModels(records);
  const checks = await listUpstreamChecks(db, { upstreamId: null });
  return {
    adminAccount: doneIf(await hasAdmin(db)),
    upstreamConnected: doneIf(isConnected(records, checks, await listFetchedUpstreams(db))),
    modelListChosen: doneIf(records.selections.length > 0),
    priceEnabled: doneIf(models.some(({ price, enabled }) => price !== null && enabled)),
    modelAvailable: doneIf(
      models.some((model) => whyUnavailable(model, served.has(model.id)) === null),
    ),
    walletFunded: doneIf(await hasFundedWallet(db)),
    keyCreated: doneIf(await hasApiKey(db)),
    firstPicture: doneIf(await hasCharge(db)),
    https: doneIf(reach.isSecure),
    baseUrl: doneIf(reach.hasBaseUrl),
    // What lies between is seen from the outside only: by the test on the page of settings.
    proxyStreams: reach.hasProxy ? 'unknown' : 'not_needed',
    sandboxOff: sandboxState(records),
  };
}

/** One that is enabled and did not fail its last check; its list shows that it has answered once. */
function isConnected(
  { upstreams }: CatalogRecords,
  checks: readonly UpstreamCheck[],
  fetched: ReadonlySet<string>,
): boolean {
  return upstreams.some(({ id, enabled }) => {
    const check = checks.find(({ upstreamId }) => upstreamId === id);
    return enabled && fetched.has(id) && (check === undefined || check.fault === null);
  });
}

/** Test pictures beside real ones would be sold for the same price. */
function sandboxState({ upstreams }: CatalogRecords): ReadinessState {
  const enabled = upstreams.filter((upstream) => upstream.enabled);
  if (enabled.every(({ kind }) => kind === sandboxKind)) return 'not_needed';
  return doneIf(!enabled.some(({ kind }) => kind === sandboxKind));
}

function doneIf(isDone: boolean): ReadinessState {
  return isDone ? 'done' : 'open';
}
