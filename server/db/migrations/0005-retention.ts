import { type Kysely, sql } from 'kysely';
import type { Schema } from '../schema.ts';

/**
 * Daily totals in the place of usage records that are no longer kept, and users whose personal data
 * was erased. Version 0.1.0 can run on it until something is pruned; it would take what is left of
 * a pruned request for a damage.
 */
export async function up(db: Kysely<Schema>): Promise<void> {
  await createUsageDays(db);
  // Into which of them the record of the hold went: with it the books can still be added up, and a
  // later refund finds its day.
  await db.schema.alterTable('holds').addColumn('pruned_into', 'bigint').execute();
  await db.schema.alterTable('users').addColumn('erased_at', 'bigint').execute();
  await db.schema
    .createTable('chores')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('claimed_by', 'text', (c) => c.notNull())
    .addColumn('claimed_until', 'bigint', (c) => c.notNull())
    .addColumn('done_until', 'bigint', (c) => c.notNull())
    .execute();
}

/** What has no key, model or code is the empty text: of nulls, none is like another. */
async function createUsageDays(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .createTable('usage_days')
    .addColumn('id', 'bigint', (c) => c.primaryKey())
    .addColumn('day', 'bigint', (c) => c.notNull())
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id'))
    .addColumn('api_key_id', 'text', (c) => c.notNull())
    .addColumn('model', 'text', (c) => c.notNull())
    .addColumn('operation', 'text', (c) => c.notNull())
    .addColumn('status', 'text', (c) =>
      c.notNull().check(sql`status in ('succeeded', 'failed', 'canceled')`),
    )
    .addColumn('code', 'text', (c) => c.notNull())
    .addColumn('records', 'bigint', (c) => c.notNull().check(sql`records > 0`))
    .addColumn('images', 'bigint', (c) => c.notNull().check(sql`images >= 0`))
    .addColumn('cost', 'bigint', (c) => c.notNull().check(sql`cost >= 0`))
    .addColumn('refunded', 'bigint', (c) =>
      c.notNull().check(sql`refunded >= 0 and refunded <= cost`),
    )
    .addUniqueConstraint('usage_days_once', [
      'day',
      'user_id',
      'api_key_id',
      'model',
      'operation',
      'status',
      'code',
    ])
    .execute();
  await db.schema
    .createIndex('usage_days_by_user')
    .on('usage_days')
    .columns(['user_id', 'day'])
    .execute();
}
