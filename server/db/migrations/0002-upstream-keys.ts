import { type Kysely, sql } from 'kysely';
import type { Schema } from '../schema.ts';

/**
 * Several keys for an upstream, its limits, its proxy and its health; options of a selection.
 * Version 0.1.0 cannot run on it: it looks for an upstream's credential where it no longer is.
 */
export async function up(db: Kysely<Schema>): Promise<void> {
  await createUpstreamKeys(db);
  await moveCredentials(db);
  await db.schema
    .alterTable('upstreams')
    .addColumn('limits', 'text', (c) => c.notNull().defaultTo('{}'))
    .execute();
  await db.schema.alterTable('upstreams').addColumn('proxy', 'text').execute();
  await db.schema.alterTable('upstreams').addColumn('disabled_reason', 'text').execute();
  await db.schema
    .alterTable('selections')
    .addColumn('options', 'text', (c) => c.notNull().defaultTo('{}'))
    .execute();
  await createUpstreamChecks(db);
}

async function createUpstreamKeys(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .createTable('upstream_keys')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('upstream_id', 'text', (c) => c.notNull().references('upstreams.id'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('credential', 'text', (c) => c.notNull())
    .addColumn('enabled', 'bigint', (c) => c.notNull())
    .addColumn('disabled_reason', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addUniqueConstraint('upstream_keys_name', ['upstream_id', 'name'])
    .execute();
}

/** Sealed for the upstream's row, credentials of all its keys open as the one it had did. */
async function moveCredentials(db: Kysely<Schema>): Promise<void> {
  await sql`
    insert into upstream_keys (id, upstream_id, name, credential, enabled, created_at)
    select replace(id, 'up_', 'upk_'), id, 'main', credential, 1, created_at
    from upstreams where credential is not null`.execute(db);
  await db.schema.alterTable('upstreams').dropColumn('credential').execute();
}

async function createUpstreamChecks(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .createTable('upstream_checks')
    .addColumn('upstream_id', 'text', (c) => c.primaryKey().references('upstreams.id'))
    .addColumn('claimed_at', 'bigint', (c) => c.notNull())
    .addColumn('checked_at', 'bigint')
    .addColumn('took_ms', 'bigint', (c) => c.notNull())
    .addColumn('fault', 'text')
    .addColumn('status', 'bigint')
    .addColumn('models_listed', 'bigint')
    .addColumn('failures', 'bigint', (c) => c.notNull().check(sql`failures >= 0`))
    .addColumn('failing_since', 'bigint')
    .addCheckConstraint('upstream_checks_outcome', sql`(fault is null) = (failures = 0)`)
    .execute();
}
