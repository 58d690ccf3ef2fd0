/** How upstreams compare: what was earned by them, how often and how fast they did what they were called for. */
import { comparedRequestsMax } from '../../../shared/console/compare-limits.ts';
import { type Amount, zero } from '../../../shared/money.ts';
import type { Db } from '../../db/db.ts';
import { invalidRequest } from '../../lib/service-error.ts';
import { sumByUpstream, type UpstreamSum } from '../../usage/upstream-sums.ts';
import type { UsageFilter } from '../../usage/usage-list.ts';
import { sumUsage } from '../../usage/usage-sums.ts';
import { spendOf, sumRefundsByUpstream } from '../money/sum-refunds.ts';

export interface UpstreamEarning extends UpstreamSum {
  /** What administrators returned of what was charged. */
  refunded: Amount;
  /** The difference of the two. */
  spend: Amount;
}

/** By upstream and model, those by which most was earned first; what was done by none is last. */
export async function readUpstreamSums(
  db: Db,
  filter: UsageFilter,
): Promise<readonly UpstreamEarning[]> {
  const { records } = await sumUsage(db, filter);
  if (records > comparedRequestsMax) {
    throw invalidRequest(
      'range',
      `${records} requests match; upstreams are compared over at most ${comparedRequestsMax}. Choose a shorter range or more filters.`,
    );
  }
  const sums = await sumByUpstream(db, filter);
  const returned = await sumRefundsByUpstream(db, filter);
  return sums
    .map((sum) => {
      const same = returned.find(
        ({ upstream, model }) => upstream === sum.upstream && model === sum.model,
      );
      const refunded = same?.refunded ?? zero;
      return { ...sum, refunded, spend: spendOf(sum.charged, refunded) };
    })
    .sort(
      (a, b) =>
        Number(a.upstream === null) - Number(b.upstream === null) ||
        b.spend - a.spend ||
        b.attempts - a.attempts ||
        b.requests - a.requests ||
        (nameOf(a) < nameOf(b) ? -1 : 1),
    );
}

function nameOf({ upstream, model }: UpstreamSum): string {
  return JSON.stringify([upstream, model]);
}
