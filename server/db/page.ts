import { type SelectQueryBuilder, sql } from 'kysely';
import type { Schema } from './schema.ts';

/** Which part of a list is wanted. */
export interface PageRequest {
  /** The `next` of the page before; null begins. */
  after: string | null;
  limit: number;
}

export interface Page<T> {
  items: readonly T[];
  /** Where the next page begins; null when this is the last. */
  next: string | null;
}

export interface PageOrder<O> {
  /** A unique text column: identifiers sort by the time they were made. */
  key: keyof O & string;
  direction: 'asc' | 'desc';
}

/**
 * Reads one page by keyset: it begins right after the last key of the page before, so rows that
 * arrive meanwhile neither repeat nor hide others, and the hundredth page costs what the first does.
 */
export async function readPage<TB extends keyof Schema, O>(
  query: SelectQueryBuilder<Schema, TB, O>,
  { key, direction }: PageOrder<O>,
  { after, limit }: PageRequest,
): Promise<Page<O>> {
  const column = sql.ref<string>(key);
  const following =
    after === null ? query : query.where(column, direction === 'asc' ? '>' : '<', after);
  const rows = await following
    .orderBy(column, direction)
    .limit(limit + 1)
    .execute();
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last ? String(last[key]) : null };
}

/** The same page with each row turned into something else. */
export function mapPage<A, B>(page: Page<A>, map: (item: A) => B): Page<B> {
  return { items: page.items.map(map), next: page.next };
}
