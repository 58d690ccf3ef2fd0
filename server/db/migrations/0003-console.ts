import { type Kysely, sql } from 'kysely';
import type { Schema } from '../schema.ts';

/**
 * Signing in to the console, access tokens for scripts, and what an API key gained with it. Version
 * 0.1.0 can run on it: it neither reads nor writes any of this.
 */
export async function up(db: Kysely<Schema>): Promise<void> {
  await extendUsers(db);
  await extendApiKeys(db);
  await extendUsageRecords(db);
  await extendMoneyAndAudit(db);
  // Of credentials that were stored before, nobody can tell without their secret key.
  await db.schema.alterTable('upstream_keys').addColumn('last_four', 'text').execute();
  await createPasswords(db);
  await createSessions(db);
  await createSecondFactors(db);
  await createInvitations(db);
  await createChallenges(db);
}

async function extendUsers(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .alterTable('users')
    .addColumn('preferences', 'text', (c) => c.notNull().defaultTo('{}'))
    .execute();
  await db.schema.alterTable('users').addColumn('last_seen_at', 'bigint').execute();
  await db.schema
    .alterTable('users')
    .addColumn('email_unproven', 'bigint', (c) =>
      c.notNull().defaultTo(0).check(sql`email_unproven in (0, 1)`),
    )
    .execute();
}

async function extendApiKeys(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .alterTable('api_keys')
    .addColumn('kind', 'text', (c) =>
      c.notNull().defaultTo('api').check(sql`kind in ('api', 'playground')`),
    )
    .execute();
  await db.schema.alterTable('api_keys').addColumn('disabled_at', 'bigint').execute();
  await db.schema.alterTable('api_keys').addColumn('addresses', 'text').execute();
  await db.schema.alterTable('api_keys').addColumn('last_used_at', 'bigint').execute();
  await db.schema.alterTable('api_keys').addColumn('previous_hash', 'text').execute();
  await db.schema.alterTable('api_keys').addColumn('previous_until', 'bigint').execute();
  await sql`
    create unique index api_keys_previous on api_keys (previous_hash)
    where previous_hash is not null`.execute(db);
  await sql`
    create unique index api_keys_one_playground on api_keys (user_id)
    where kind = 'playground'`.execute(db);
}

async function extendUsageRecords(db: Kysely<Schema>): Promise<void> {
  await db.schema.alterTable('usage_records').addColumn('asked', 'text').execute();
  // Lists are in the order of time and cut by it; the trace ID only tells two of one millisecond apart.
  await db.schema
    .createIndex('usage_records_by_user_start')
    .on('usage_records')
    .columns(['user_id', 'started_at', 'trace_id'])
    .execute();
  await db.schema.dropIndex('usage_records_by_user').execute();
}

async function extendMoneyAndAudit(db: Kysely<Schema>): Promise<void> {
  await db.schema.alterTable('wallet_transactions').addColumn('reference', 'text').execute();
  await db.schema
    .alterTable('wallet_transactions')
    .addColumn('ordered', 'text', (c) => c.check(sql`ordered in ('add', 'deduct', 'set')`))
    .execute();
  await sql`
    create unique index wallet_transactions_by_reference on wallet_transactions (user_id, reference)
    where reference is not null`.execute(db);
  await db.schema
    .createIndex('audit_entries_by_subject')
    .on('audit_entries')
    .columns(['subject', 'id'])
    .execute();
}

async function createPasswords(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .createTable('passwords')
    .addColumn('user_id', 'text', (c) => c.primaryKey().references('users.id'))
    .addColumn('hash', 'text', (c) => c.notNull())
    .addColumn('changed_at', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('sign_in_failures')
    .addColumn('subject', 'text', (c) => c.primaryKey())
    .addColumn('failures', 'bigint', (c) => c.notNull().check(sql`failures >= 0`))
    .addColumn('first_at', 'bigint', (c) => c.notNull())
    .addColumn('last_at', 'bigint', (c) => c.notNull())
    .addColumn('earlier_at', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex('sign_in_failures_by_time')
    .on('sign_in_failures')
    .column('first_at')
    .execute();
}

async function createSessions(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .createTable('sessions')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id'))
    .addColumn('hash', 'text', (c) => c.notNull().unique())
    .addColumn('method', 'text', (c) =>
      c.notNull().check(sql`method in ('password', 'passkey', 'oidc', 'invitation', 'setup')`),
    )
    .addColumn('user_agent', 'text')
    .addColumn('address', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('last_seen_at', 'bigint', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .addColumn('proven_at', 'bigint')
    .execute();
  await db.schema
    .createIndex('sessions_by_user')
    .on('sessions')
    .columns(['user_id', 'id'])
    .execute();
  await db.schema
    .createTable('access_tokens')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('hash', 'text', (c) => c.notNull().unique())
    .addColumn('last_four', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('last_used_at', 'bigint')
    .addColumn('revoked_at', 'bigint')
    .execute();
  await db.schema
    .createIndex('access_tokens_by_user')
    .on('access_tokens')
    .columns(['user_id', 'id'])
    .execute();
}

async function createSecondFactors(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .createTable('authenticators')
    .addColumn('user_id', 'text', (c) => c.primaryKey().references('users.id'))
    .addColumn('secret', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('confirmed_at', 'bigint')
    .addColumn('last_step', 'bigint')
    .execute();
  await db.schema
    .createTable('recovery_codes')
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id'))
    .addColumn('hash', 'text', (c) => c.notNull())
    .addColumn('used_at', 'bigint')
    .addPrimaryKeyConstraint('recovery_codes_pk', ['user_id', 'hash'])
    .execute();
  await db.schema
    .createTable('passkeys')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('public_key', 'text', (c) => c.notNull())
    .addColumn('counter', 'bigint', (c) => c.notNull())
    .addColumn('transports', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('last_used_at', 'bigint')
    .execute();
  await db.schema.createIndex('passkeys_by_user').on('passkeys').column('user_id').execute();
  await db.schema
    .createTable('outside_identities')
    .addColumn('issuer', 'text', (c) => c.notNull())
    .addColumn('subject', 'text', (c) => c.notNull())
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id'))
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('outside_identities_pk', ['issuer', 'subject'])
    .execute();
}

async function createInvitations(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .createTable('invitations')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('hash', 'text', (c) => c.notNull().unique())
    .addColumn('email', 'text')
    .addColumn('role', 'text', (c) => c.notNull().check(sql`role in ('user', 'admin')`))
    .addColumn('top_up', 'bigint', (c) => c.notNull().check(sql`top_up >= 0`))
    .addColumn('invited_by', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .addColumn('accepted_by', 'text', (c) => c.references('users.id'))
    .addColumn('ended_at', 'bigint')
    .execute();
}

async function createChallenges(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .createTable('challenges')
    .addColumn('hash', 'text', (c) => c.primaryKey())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('user_id', 'text', (c) => c.references('users.id'))
    .addColumn('data', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex('challenges_by_expiry')
    .on('challenges')
    .column('expires_at')
    .execute();
  await db.schema
    .createIndex('challenges_by_user')
    .on('challenges')
    .columns(['kind', 'user_id'])
    .execute();
}
