import { type Kysely, sql } from 'kysely';
import type { Schema } from '../schema.ts';

/** The first schema. Older code cannot run on it: there is none. */
export async function up(db: Kysely<Schema>): Promise<void> {
  await createAccounts(db);
  await createMoney(db);
  await createUsage(db);
  await createCatalog(db);
  await addSpecifiedModels(db);
  await createNotices(db);
  await createHousekeeping(db);
}

async function createAccounts(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .createTable('users')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('email', 'text', (c) => c.notNull().unique())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('role', 'text', (c) => c.notNull().check(sql`role in ('user', 'admin')`))
    .addColumn('slots_max', 'bigint', (c) => c.check(sql`slots_max >= 0`))
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('disabled_at', 'bigint')
    .execute();
  await db.schema
    .createTable('api_keys')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('hash', 'text', (c) => c.notNull().unique())
    .addColumn('prefix', 'text', (c) => c.notNull())
    .addColumn('last_four', 'text', (c) => c.notNull())
    .addColumn('models', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('revoked_at', 'bigint')
    .execute();
  await db.schema
    .createTable('key_budgets')
    .addColumn('api_key_id', 'text', (c) => c.primaryKey().references('api_keys.id'))
    .addColumn('user_id', 'text', (c) => c.notNull())
    .addColumn('slots_max', 'bigint', (c) => c.check(sql`slots_max > 0`))
    .addColumn('spend_max', 'bigint', (c) => c.check(sql`spend_max > 0`))
    .addColumn('monthly_spend_max', 'bigint', (c) => c.check(sql`monthly_spend_max > 0`))
    .addColumn('zone', 'text', (c) => c.notNull())
    .addColumn('in_flight', 'bigint', (c) => c.notNull().defaultTo(0).check(sql`in_flight >= 0`))
    .addColumn('held', 'bigint', (c) => c.notNull().defaultTo(0).check(sql`held >= 0`))
    .addColumn('spent', 'bigint', (c) => c.notNull().defaultTo(0).check(sql`spent >= 0`))
    .addColumn('month', 'text')
    .addColumn('spent_in_month', 'bigint', (c) =>
      c.notNull().defaultTo(0).check(sql`spent_in_month >= 0`),
    )
    .execute();
  await db.schema
    .createIndex('api_keys_by_user')
    .on('api_keys')
    .columns(['user_id', 'id'])
    .execute();
}

async function createMoney(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .createTable('wallets')
    .addColumn('user_id', 'text', (c) => c.primaryKey().references('users.id'))
    .addColumn('balance', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('held', 'bigint', (c) => c.notNull().defaultTo(0).check(sql`held >= 0`))
    .addColumn('in_flight', 'bigint', (c) => c.notNull().defaultTo(0).check(sql`in_flight >= 0`))
    .addColumn('transaction_count', 'bigint', (c) => c.notNull().defaultTo(0))
    .addCheckConstraint('wallets_available', sql`balance >= held`)
    .execute();
  await db.schema
    .createTable('holds')
    .addColumn('trace_id', 'text', (c) => c.primaryKey())
    .addColumn('user_id', 'text', (c) => c.notNull().references('wallets.user_id'))
    // Given by the step that takes the key's limits; without it there is no hold.
    .addColumn('api_key_id', 'text', (c) => c.notNull().references('key_budgets.api_key_id'))
    .addColumn('budget_month', 'text', (c) => c.notNull())
    .addColumn('process_id', 'text', (c) => c.notNull())
    .addColumn('amount', 'bigint', (c) => c.notNull().check(sql`amount >= 0`))
    .addColumn('cost', 'bigint', (c) => c.check(sql`cost >= 0 and cost <= amount`))
    .addColumn('state', 'text', (c) =>
      c.notNull().check(sql`state in ('open', 'settled', 'released', 'expired')`),
    )
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('ended_at', 'bigint')
    .addColumn('delivered_at', 'bigint')
    .addColumn('refunded_at', 'bigint')
    .addCheckConstraint('holds_ended_once', sql`(state = 'open') = (ended_at is null)`)
    .addCheckConstraint('holds_cost', sql`(state = 'settled') = (cost is not null)`)
    .addCheckConstraint(
      'holds_delivered_or_refunded',
      sql`delivered_at is null or refunded_at is null`,
    )
    .execute();
  // The sweep looks only at holds that are open, or settled and not yet handed over. In the order of
  // its pages; beginning with anything else, PostgreSQL would take it for a settle too, and read the
  // holds of everybody to find one.
  await sql`
    create index holds_unfinished on holds (trace_id)
    where state = 'open' or (state = 'settled' and delivered_at is null and refunded_at is null)`.execute(
    db,
  );
  await db.schema
    .createTable('wallet_transactions')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('user_id', 'text', (c) => c.notNull().references('wallets.user_id'))
    .addColumn('seq', 'bigint', (c) => c.notNull())
    .addColumn('kind', 'text', (c) =>
      c.notNull().check(sql`kind in ('top_up', 'charge', 'refund', 'adjustment')`),
    )
    .addColumn('amount', 'bigint', (c) => c.notNull())
    .addColumn('balance_after', 'bigint', (c) => c.notNull().check(sql`balance_after >= 0`))
    .addColumn('trace_id', 'text')
    .addColumn('actor', 'text', (c) => c.notNull())
    .addColumn('reason', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addUniqueConstraint('wallet_transactions_seq', ['user_id', 'seq'])
    .addCheckConstraint(
      'wallet_transactions_sign',
      sql`(kind = 'charge' and amount <= 0) or (kind in ('top_up', 'refund') and amount >= 0)
        or kind = 'adjustment'`,
    )
    .addCheckConstraint(
      'wallet_transactions_trace',
      sql`trace_id is not null or kind not in ('charge', 'refund')`,
    )
    .execute();
  await sql`
    create unique index wallet_transactions_one_charge on wallet_transactions (user_id, trace_id)
    where kind = 'charge'`.execute(db);
  await sql`
    create unique index wallet_transactions_one_refund on wallet_transactions (user_id, trace_id)
    where kind = 'refund'`.execute(db);
  await sql`
    create index wallet_transactions_by_trace on wallet_transactions (trace_id)
    where trace_id is not null`.execute(db);
}

async function createUsage(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .createTable('usage_records')
    .addColumn('trace_id', 'text', (c) => c.primaryKey())
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id'))
    .addColumn('api_key_id', 'text')
    .addColumn('model', 'text')
    .addColumn('operation', 'text', (c) =>
      c.notNull().check(sql`operation in ('generation', 'edit')`),
    )
    .addColumn('status', 'text', (c) =>
      c.notNull().check(sql`status in ('running', 'succeeded', 'failed', 'canceled')`),
    )
    .addColumn('code', 'text')
    .addColumn('images_requested', 'bigint', (c) => c.notNull())
    .addColumn('images', 'bigint', (c) => c.notNull())
    .addColumn('unit_price', 'bigint', (c) => c.notNull())
    .addColumn('cost', 'bigint', (c) => c.notNull())
    .addColumn('stream', 'bigint', (c) => c.notNull())
    .addColumn('size', 'text')
    .addColumn('quality', 'text')
    .addColumn('output_format', 'text')
    .addColumn('started_at', 'bigint', (c) => c.notNull())
    .addColumn('ended_at', 'bigint')
    .addColumn('attempts', 'text')
    .addCheckConstraint(
      'usage_records_cost',
      sql`cost = unit_price * images and (status = 'succeeded') = (images > 0)`,
    )
    .execute();
  await db.schema
    .createIndex('usage_records_by_user')
    .on('usage_records')
    .columns(['user_id', 'trace_id'])
    .execute();
  await db.schema
    .createIndex('usage_records_by_start')
    .on('usage_records')
    .columns(['started_at', 'trace_id'])
    .execute();
  await db.schema
    .createTable('idempotency_keys')
    .addColumn('api_key_id', 'text', (c) => c.notNull())
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('user_id', 'text', (c) => c.notNull())
    .addColumn('fingerprint', 'text', (c) => c.notNull())
    .addColumn('trace_id', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('idempotency_keys_pk', ['api_key_id', 'key'])
    .execute();
  await db.schema
    .createIndex('idempotency_keys_by_trace')
    .on('idempotency_keys')
    .column('trace_id')
    .execute();
}

async function createCatalog(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .createTable('models')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('description', 'text', (c) => c.notNull())
    .addColumn('extended_qualities', 'bigint', (c) => c.notNull())
    .addColumn('price', 'bigint', (c) => c.check(sql`price > 0`))
    .addColumn('enabled', 'bigint', (c) => c.notNull())
    .addColumn('position', 'bigint', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('prices')
    .addColumn('model_id', 'text', (c) => c.notNull().references('models.id'))
    .addColumn('seq', 'bigint', (c) => c.notNull())
    .addColumn('amount', 'bigint', (c) => c.notNull().check(sql`amount > 0`))
    .addColumn('actor', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('prices_pk', ['model_id', 'seq'])
    .execute();
  await db.schema
    .createTable('upstreams')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull().unique())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('base_url', 'text')
    .addColumn('credential', 'text')
    .addColumn('settings', 'text', (c) => c.notNull())
    .addColumn('enabled', 'bigint', (c) => c.notNull())
    .addColumn('priority', 'bigint', (c) => c.notNull())
    .addColumn('weight', 'bigint', (c) => c.notNull().check(sql`weight > 0`))
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('upstream_models')
    .addColumn('upstream_id', 'text', (c) => c.notNull().references('upstreams.id'))
    .addColumn('upstream_model', 'text', (c) => c.notNull())
    .addColumn('description', 'text')
    .addColumn('listed_at', 'bigint', (c) => c.notNull())
    .addColumn('gone_at', 'bigint')
    .addPrimaryKeyConstraint('upstream_models_pk', ['upstream_id', 'upstream_model'])
    .execute();
  await db.schema
    .createTable('selections')
    .addColumn('model_id', 'text', (c) => c.notNull().references('models.id'))
    .addColumn('upstream_id', 'text', (c) => c.notNull())
    .addColumn('upstream_model', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('selections_pk', ['model_id', 'upstream_id', 'upstream_model'])
    .addForeignKeyConstraint(
      'selections_listed',
      ['upstream_id', 'upstream_model'],
      'upstream_models',
      ['upstream_id', 'upstream_model'],
    )
    .execute();
}

/** The specification's models (section 1): known from the start, usable once an administrator prices them. */
async function addSpecifiedModels(db: Kysely<Schema>): Promise<void> {
  const models = [
    {
      id: 'gen-image-2.5-sunburst',
      description: 'Most capable model of the 2.5 generation',
      extended_qualities: 1,
    },
    {
      id: 'gen-image-2.5-flare',
      description: 'Fastest model of the 2.5 generation',
      extended_qualities: 1,
    },
    {
      id: 'gen-image-2',
      description: 'Generation and editing, kept for existing integrations',
      extended_qualities: 0,
    },
  ] as const;
  await db
    .insertInto('models')
    .values(
      models.map((model, position) => ({
        ...model,
        price: null,
        enabled: 0 as const,
        position,
        // No clock reaches a migration; the generation's release day does as well (2026-11-01).
        created_at: 1_793_491_200_000,
      })),
    )
    .execute();
}

async function createNotices(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .createTable('notices')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id'))
    .addColumn('kind', 'text', (c) => c.notNull().check(sql`kind in ('low_balance')`))
    .addColumn('medium', 'text', (c) => c.notNull().check(sql`medium in ('webhook', 'email')`))
    .addColumn('balance', 'bigint', (c) => c.notNull())
    .addColumn('threshold', 'bigint', (c) => c.notNull())
    .addColumn('trace_id', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('tries', 'bigint', (c) => c.notNull())
    .addColumn('next_try_at', 'bigint', (c) => c.notNull())
    .addColumn('failure', 'text')
    .addColumn('sent_at', 'bigint')
    .addColumn('given_up_at', 'bigint')
    .addCheckConstraint('notices_low', sql`balance < threshold`)
    .addCheckConstraint('notices_ended_once', sql`sent_at is null or given_up_at is null`)
    .execute();
  await sql`
    create index notices_pending on notices (medium, next_try_at)
    where sent_at is null and given_up_at is null`.execute(db);
}

async function createHousekeeping(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .createTable('settings')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('value', 'text', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('audit_entries')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('actor', 'text', (c) => c.notNull())
    .addColumn('action', 'text', (c) => c.notNull())
    .addColumn('subject', 'text', (c) => c.notNull())
    .addColumn('reason', 'text')
    .addColumn('detail', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('processes')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('host', 'text', (c) => c.notNull())
    .addColumn('pid', 'bigint', (c) => c.notNull())
    .addColumn('started_at', 'bigint', (c) => c.notNull())
    .addColumn('lease_until', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('revisions')
    .addColumn('topic', 'text', (c) => c.primaryKey())
    .addColumn('revision', 'bigint', (c) => c.notNull())
    .execute();
  await db
    .insertInto('revisions')
    .values([
      { topic: 'accounts', revision: 0 },
      { topic: 'catalog', revision: 0 },
      { topic: 'settings', revision: 0 },
    ])
    .execute();
}
