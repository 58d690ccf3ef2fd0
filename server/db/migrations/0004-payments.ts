import { type Kysely, sql } from 'kysely';
import type { Schema } from '../schema.ts';

/**
 * Payments, what providers took back of them, and codes to redeem. Version 0.1.0 can run on it: it
 * neither reads nor writes any of this.
 */
export async function up(db: Kysely<Schema>): Promise<void> {
  await createPayments(db);
  await createReversals(db);
  await createCodes(db);
}

async function createPayments(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .createTable('payments')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id'))
    .addColumn('provider', 'text', (c) => c.notNull())
    .addColumn('payment_id', 'text')
    .addColumn('checkout_id', 'text')
    .addColumn('amount', 'bigint', (c) => c.notNull().check(sql`amount > 0`))
    .addColumn('currency', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) =>
      c.notNull().check(sql`state in ('open', 'paid', 'expired', 'failed', 'refused')`),
    )
    .addColumn('transaction_id', 'text', (c) => c.unique().references('wallet_transactions.id'))
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('ended_at', 'bigint')
    .addColumn('problem', 'text')
    .addColumn('settled_at', 'bigint')
    .addUniqueConstraint('payments_once', ['provider', 'payment_id'])
    .addUniqueConstraint('payments_one_checkout', ['provider', 'checkout_id'])
    // Nothing else has moved money.
    .addCheckConstraint('payments_paid', sql`transaction_id is null or state = 'paid'`)
    .addCheckConstraint('payments_ended', sql`(state = 'open') = (ended_at is null)`)
    .execute();
  await db.schema
    .createIndex('payments_by_user')
    .on('payments')
    .columns(['user_id', 'id'])
    .execute();
  await sql`
    create index payments_with_problem on payments (id)
    where problem is not null and settled_at is null`.execute(db);
}

async function createReversals(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .createTable('payment_reversals')
    .addColumn('payment_id', 'text', (c) => c.notNull().references('payments.id'))
    .addColumn('kind', 'text', (c) => c.notNull().check(sql`kind in ('refund', 'dispute')`))
    .addColumn('reference', 'text', (c) => c.notNull())
    .addColumn('amount', 'bigint', (c) => c.notNull().check(sql`amount >= 0`))
    .addColumn('deducted', 'bigint', (c) => c.notNull().check(sql`deducted >= 0`))
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('ended_at', 'bigint')
    .addPrimaryKeyConstraint('payment_reversals_pk', ['payment_id', 'kind', 'reference'])
    .addCheckConstraint('payment_reversals_deducted', sql`deducted <= amount`)
    .execute();
}

async function createCodes(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .createTable('codes')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('batch_id', 'text', (c) => c.notNull())
    .addColumn('hash', 'text', (c) => c.notNull().unique())
    .addColumn('last_four', 'text', (c) => c.notNull())
    .addColumn('amount', 'bigint', (c) => c.notNull().check(sql`amount > 0`))
    .addColumn('note', 'text')
    .addColumn('created_by', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('redeemed_by', 'text', (c) => c.references('users.id'))
    .addColumn('redeemed_at', 'bigint')
    .addColumn('transaction_id', 'text', (c) => c.unique().references('wallet_transactions.id'))
    .addColumn('withdrawn_at', 'bigint')
    .addCheckConstraint('codes_redeemed', sql`(redeemed_at is null) = (redeemed_by is null)`)
    // Redeemed and withdrawn exclude each other.
    .addCheckConstraint('codes_ended_once', sql`redeemed_at is null or withdrawn_at is null`)
    .execute();
  await db.schema.createIndex('codes_by_batch').on('codes').columns(['batch_id', 'id']).execute();
}
