import type { Amount } from '../../../shared/money.ts';
import { readEmails } from '../../accounts/user-store.ts';
import type { Db } from '../../db/db.ts';
import {
  type CodeCount,
  countCodeByUser,
  countCodes,
  countUsage,
  readDurations,
  type StatsRange,
} from '../../usage/usage-stats.ts';
import { availableOf } from '../../wallets/wallet.ts';
import { readWallets } from '../../wallets/wallet-list-store.ts';
import { spendOf, sumRefunds } from '../money/sum-refunds.ts';
import { type ModelOverview, readModels } from './read-models.ts';
import {
  isUnwell,
  readUpstreams,
  type UpstreamLanes,
  type UpstreamOverview,
} from './read-upstreams.ts';

export interface Overview {
  range: StatsRange;
  requests: number;
  running: number;
  succeeded: number;
  /** Of the requests that ended; null without any. */
  successRate: number | null;
  /** Null for more than an amount can be. */
  spend: Amount | null;
  medianMs: number | null;
  p90Ms: number | null;
  codes: readonly CodeCount[];
  upstreams: readonly UpstreamOverview[];
  attention: readonly Attention[];
}

/** Something that an administrator should look at. */
export type Attention =
  | { kind: 'model_without_price'; modelId: string }
  | { kind: 'model_not_served'; modelId: string }
  | { kind: 'upstream_failing'; upstreamId: string; name: string; failures: number }
  | { kind: 'wallet_empty'; userId: string; email: string; refused: number };

const overviewMs = 24 * 3_600_000;
/** What keeps most people from their pictures comes first. */
const kindsByUrgency = Object.keys({
  upstream_failing: true,
  model_not_served: true,
  wallet_empty: true,
  model_without_price: true,
} satisfies Record<Attention['kind'], true>);
const attentionOfKindMax = 20;
/** Whose wallets are looked at, of those who were refused: the ones who were the most often. */
const refusedUsersMax = 500;

export async function readOverview(
  db: Db,
  { lanes, nowMs }: { lanes: UpstreamLanes; nowMs: number },
): Promise<Overview> {
  const range = { fromMs: nowMs - overviewMs, toMs: nowMs };
  const { byStatus, cost } = await countUsage(db, range);
  const { running, succeeded, failed, canceled } = byStatus;
  const ended = succeeded + failed + canceled;
  const [medianMs = null, p90Ms = null] = await readDurations(db, range, [0.5, 0.9]);
  const upstreams = await readUpstreams(db, { lanes, nowMs });
  const models = await readModels(db, nowMs);
  const attention = [
    ...models.flatMap(modelAttention),
    ...upstreams.flatMap(upstreamAttention),
    ...(await walletAttention(db, range, models)),
  ];
  return {
    range,
    requests: ended + running,
    running,
    succeeded,
    successRate: ended === 0 ? null : succeeded / ended,
    spend: cost === null ? null : spendOf(cost, await sumRefunds(db, range)),
    medianMs,
    p90Ms,
    codes: await countCodes(db, range),
    upstreams,
    attention: someOfEachKind(attention),
  };
}

/** Hundreds of one kind are not to hide what else there is. */
function someOfEachKind(all: readonly Attention[]): readonly Attention[] {
  return kindsByUrgency.flatMap((wanted) =>
    all.filter(({ kind }) => kind === wanted).slice(0, attentionOfKindMax),
  );
}

/** What was withdrawn on purpose needs no attention: a model that has a price and is disabled. */
function modelAttention({ model, selected }: ModelOverview): Attention[] {
  const { id: modelId, price, enabled } = model;
  if (price === null) return [{ kind: 'model_without_price', modelId }];
  if (!enabled || selected.some(({ serves }) => serves)) return [];
  return [{ kind: 'model_not_served', modelId }];
}

function upstreamAttention({ upstream, health, check }: UpstreamOverview): Attention[] {
  if (!isUnwell(health)) return [];
  const { id: upstreamId, name } = upstream;
  return [{ kind: 'upstream_failing', upstreamId, name, failures: check?.failures ?? 0 }];
}

/** Whose requests were refused for want of money, and who still cannot pay for the cheapest picture. */
async function walletAttention(
  db: Db,
  range: StatsRange,
  models: readonly ModelOverview[],
): Promise<Attention[]> {
  const refused = await countCodeByUser(db, range, 'insufficient_quota', {
    limit: refusedUsersMax,
  });
  const userIds = [...refused.keys()];
  const wallets = await readWallets(db, userIds);
  const emails = await readEmails(db, userIds);
  const prices = models.flatMap(({ model, missing }) =>
    missing === null && model.price !== null ? [model.price] : [],
  );
  const cheapest = Math.min(...prices);
  return userIds.flatMap((userId) => {
    const wallet = wallets.get(userId);
    // Without any price on offer, nothing at all is what is not enough.
    const isEmpty = wallet && availableOf(wallet) < (Number.isFinite(cheapest) ? cheapest : 1);
    if (!isEmpty) return [];
    const email = emails.get(userId) ?? userId;
    return [{ kind: 'wallet_empty', userId, email, refused: refused.get(userId) ?? 0 } as const];
  });
}
