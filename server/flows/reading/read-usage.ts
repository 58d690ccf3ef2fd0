/**
 * What the pages about usage show: records with what other nouns know of them. Sums are of the records
 * that are kept and the daily totals of those that no longer are; a request is in one of them.
 */
import { type Amount, addAmounts, amountFromMicros } from '../../../shared/money.ts';
import { type KeyName, readKeyNames } from '../../accounts/api-key-store.ts';
import type { Db } from '../../db/db.ts';
import { bucketIndex, commonSpan } from '../../lib/calendar-range.ts';
import type { Position, TurnedPage } from '../../lib/turned-page.ts';
import { sumDays, sumDaysBy, sumDaysBySlot } from '../../usage/usage-days-store.ts';
import { turnUsage, type UsageFilter } from '../../usage/usage-list.ts';
import type { UsageRecord } from '../../usage/usage-record.ts';
import {
  type GroupSum,
  sumUsage,
  sumUsageBy,
  sumUsageBySlot,
  type UsageSum,
} from '../../usage/usage-sums.ts';
import { spendOf, sumRefunds } from '../money/sum-refunds.ts';

export interface UsagePage extends TurnedPage<UsageRecord> {
  keys: ReadonlyMap<string, KeyName>;
}

/** A page of records, and the names of the API keys in it. */
export async function readUsagePage(
  db: Db,
  filter: UsageFilter,
  page: { position: Position; limit: number },
): Promise<UsagePage> {
  const turned = await turnUsage(db, filter, page);
  const ids = turned.items.flatMap(({ apiKeyId }) => apiKeyId ?? []);
  return { ...turned, keys: await readKeyNames(db, [...new Set(ids)]) };
}

export interface SpendTotals extends UsageSum {
  /** What administrators returned of the cost. */
  refunded: Amount;
  /** Cost less refunds. */
  spend: Amount;
}

export async function totalSpend(db: Db, filter: UsageFilter): Promise<SpendTotals> {
  return (await totalList(db, filter)).totals;
}

/** The totals of a list, and how many rows it has: of the requests, those whose records are kept. */
export async function totalList(
  db: Db,
  filter: UsageFilter,
): Promise<{ count: number; totals: SpendTotals }> {
  const { refunded: refundedEarlier, ...pruned } = await sumDays(db, filter);
  const kept = await sumUsage(db, filter);
  const sum = addSums(kept, pruned);
  const refunded = addAmounts(await sumRefunds(db, filter), refundedEarlier);
  return { count: kept.records, totals: { ...sum, refunded, spend: spendOf(sum.cost, refunded) } };
}

/** A model, or null for all others together, over the buckets of a chart. */
export interface ChartSeries {
  model: string | null;
  spend: readonly number[];
  requests: readonly number[];
}

const modelsShownMax = 4;

/** What was spent in each bucket, by the models that cost most and the rest. */
export async function chartUsage(
  db: Db,
  filter: UsageFilter,
  edges: readonly number[],
): Promise<readonly ChartSeries[]> {
  const rows = await sumByBucket(db, filter, edges);
  const shown = topModels(rows);
  const buckets = edges.length - 1;
  const series = new Map<string | null, { spend: number[]; requests: number[] }>();
  for (const model of [...shown, null]) {
    series.set(model, { spend: zeros(buckets), requests: zeros(buckets) });
  }
  let hasOthers = false;
  for (const { bucket, model, cost, records } of rows) {
    const isShown = model !== null && shown.includes(model);
    hasOthers ||= !isShown;
    const one = series.get(isShown ? model : null);
    if (!one) continue;
    one.spend[bucket] = addAmounts(amountFromMicros(one.spend[bucket] ?? 0), cost);
    one.requests[bucket] = (one.requests[bucket] ?? 0) + records;
  }
  if (!hasOthers) series.delete(null);
  return [...series].map(([model, values]) => ({ model, ...values }));
}

/** Sums of each bucket, empty ones too. */
export async function sumUsageByBucket(
  db: Db,
  filter: UsageFilter,
  edges: readonly number[],
): Promise<readonly UsageSum[]> {
  const sums = edges.slice(1).map(() => noUsage);
  for (const { bucket, ...sum } of await sumByBucket(db, filter, edges)) {
    sums[bucket] = addSums(sums[bucket] ?? noUsage, sum);
  }
  return sums;
}

/** By model or by API key, those that cost most first. */
export async function sumUsageByGroup(
  db: Db,
  filter: UsageFilter,
  column: 'model' | 'api_key_id',
): Promise<readonly GroupSum[]> {
  const sums = new Map<string | null, UsageSum>();
  for (const { group, ...sum } of [
    ...(await sumUsageBy(db, filter, column)),
    ...(await sumDaysBy(db, filter, column)),
  ]) {
    sums.set(group, addSums(sums.get(group) ?? noUsage, sum));
  }
  return [...sums]
    .map(([group, sum]) => ({ group, ...sum }))
    .sort((a, b) => b.cost - a.cost || b.records - a.records || byName(a.group, b.group));
}

function byName(a: string | null, b: string | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return a < b ? -1 : 1;
}

async function sumByBucket(db: Db, filter: UsageFilter, edges: readonly number[]) {
  const startMs = edges[0] ?? 0;
  const slotMs = commonSpan(edges);
  const slots = await sumUsageBySlot(db, filter, { startMs, slotMs });
  const pruned = await sumDaysBySlot(db, filter, { startMs, slotMs });
  return [...pruned, ...slots].map(({ slot, ...sum }) => ({
    ...sum,
    bucket: bucketIndex(edges, startMs + slot * slotMs),
  }));
}

function topModels(rows: readonly (UsageSum & { model: string | null })[]): readonly string[] {
  const byModel = new Map<string, UsageSum>();
  for (const { model, ...sum } of rows) {
    if (model !== null) byModel.set(model, addSums(byModel.get(model) ?? noUsage, sum));
  }
  return [...byModel]
    .sort(([a, sumA], [b, sumB]) => {
      return sumB.cost - sumA.cost || sumB.records - sumA.records || (a < b ? -1 : 1);
    })
    .slice(0, modelsShownMax)
    .map(([model]) => model);
}

const noUsage: UsageSum = { records: 0, images: 0, cost: amountFromMicros(0), unbilled: 0 };

function addSums(a: UsageSum, b: UsageSum): UsageSum {
  return {
    records: a.records + b.records,
    images: a.images + b.images,
    cost: addAmounts(a.cost, b.cost),
    unbilled: a.unbilled + b.unbilled,
  };
}

function zeros(count: number): number[] {
  return Array.from({ length: count }, () => 0);
}
