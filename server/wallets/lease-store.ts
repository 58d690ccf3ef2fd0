/**
 * The leases of processes, on which their unfinished holds depend: one whose process no longer renews its lease may be
 * ended by any other process, unless the delivery of its answer is claimed.
 */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { type ChainParams, defineChain } from '../db/chain.ts';
import type { Db, Trx } from '../db/db.ts';
import { databaseNow } from '../db/engine.ts';
import type { HoldState, ProcessRow } from '../db/schema.ts';
import { must } from '../lib/assert.ts';

export interface ProcessIdentity {
  id: string;
  host: string;
  pid: number;
  startedAt: number;
}

interface RenewLeaseParams extends ProcessIdentity, ChainParams {
  leaseMs: number;
}

interface Renewed {
  lease_until: number;
}

/** Gives the process a lease of `leaseMs` from now, by the database's clock; answers until when. */
export async function renewLease(
  db: Db,
  process: ProcessIdentity,
  leaseMs: number,
): Promise<number> {
  const row = await db.runChain(renewLeaseChain, { ...process, leaseMs });
  return must(row, 'the row of this process').lease_until;
}

/** One statement: on a connection that does not answer, a transaction would wait for several. */
const renewLeaseChain = defineChain<RenewLeaseParams, Renewed>('renew_lease', 'process', {
  process: ({ engine, kysely, param }) =>
    kysely
      .insertInto('processes')
      .values({
        id: param('id'),
        host: param('host'),
        pid: param('pid'),
        started_at: param('startedAt'),
        lease_until: sql<number>`${databaseNow(engine)} + ${param('leaseMs')}`,
      })
      .onConflict((conflict) =>
        conflict
          .column('id')
          .doUpdateSet((eb) => ({ lease_until: eb.ref('excluded.lease_until') })),
      )
      .returning('lease_until'),
});

/**
 * Ends leases at once, and the claims of what they did not hand over: of this process when it stops, or of
 * others known to be dead.
 */
export async function endLeases(trx: Trx, processIds: readonly string[]): Promise<void> {
  if (processIds.length === 0) return;
  await trx.kysely.deleteFrom('processes').where('id', 'in', processIds).execute();
  await unclaim(trx).where('process_id', 'in', processIds).execute();
}

/** Ends all leases and claims: in a copy, where none of the processes named in it runs. */
export async function endAllLeases(trx: Trx): Promise<void> {
  await trx.kysely.deleteFrom('processes').execute();
  await unclaim(trx).execute();
}

function unclaim(trx: Trx) {
  return trx.kysely.updateTable('holds').set({ claimed_until: null }).where(isUnfinished);
}

export async function listProcesses(db: Db): Promise<readonly ProcessIdentity[]> {
  const rows = await db.kysely.selectFrom('processes').selectAll().execute();
  return rows.map(processFromRow);
}

export interface LeasedProcess extends ProcessIdentity {
  leaseUntil: number;
}

/**
 * Longer than any lease may be given, which is for ten minutes. What seems to have more left was given before the
 * database's clock was set back: a process that lives has renewed it since.
 */
export const leaseMsMax = 20 * 60_000;

/** Those whose lease runs, by the database's clock. */
export async function listLeased(db: Db): Promise<readonly LeasedProcess[]> {
  const rows = await db.kysely
    .selectFrom('processes')
    .selectAll()
    .where(isRunning(db))
    .orderBy('id')
    .execute();
  return rows.map((row) => ({ ...processFromRow(row), leaseUntil: row.lease_until }));
}

function processFromRow(row: ProcessRow): ProcessIdentity {
  return { id: row.id, host: row.host, pid: row.pid, startedAt: row.started_at };
}

export interface UnfinishedHold {
  traceId: string;
  /** Open: the request never ended. Settled: charged, but the answer was not handed over. */
  state: 'open' | 'settled';
}

/** A page of a list ordered by trace ID. */
export interface TraceIdPage {
  /** The last trace ID of the page before; null starts. */
  after: string | null;
  limit: number;
}

/** Which leases count as gone. */
export type Gone =
  /** Those that were ended: their processes stopped or were seen dead, so none of them can still be at work. */
  | 'ended'
  /** Also those that ran out: most of their processes are dead, but one may only have been unable to renew it. */
  | 'over';

/** Unfinished holds whose process has no lease any more, and whose delivery nobody has claimed. */
export async function listOrphanedHolds(
  db: Db,
  { leases, ...page }: TraceIdPage & { leases: Gone },
): Promise<readonly UnfinishedHold[]> {
  const letGo = unfinishedHolds(db, page).where(isLetGo(db));
  const rows = await (leases === 'over' ? letGo : letGo.where(hasEnded)).execute();
  return rows.map(toUnfinished);
}

const hasEnded = sql<SqlBool>`holds.process_id not in (select id from processes)`;

/** Unfinished holds of one process in which nothing has happened since `beforeMs`. */
export async function listQuietHolds(
  db: Db,
  { processId, beforeMs, ...page }: TraceIdPage & { processId: string; beforeMs: number },
): Promise<readonly UnfinishedHold[]> {
  const rows = await unfinishedHolds(db, page)
    .where('process_id', '=', processId)
    .where((eb) => eb(eb.fn.coalesce('ended_at', 'created_at'), '<', beforeMs))
    .execute();
  return rows.map(toUnfinished);
}

/** Whether another process has an unfinished hold of an API key. */
export async function hasUnfinishedElsewhere(
  db: Db,
  { apiKeyId, processId }: { apiKeyId: string; processId: string },
): Promise<boolean> {
  const hold = await db.kysely
    .selectFrom('holds')
    .select('trace_id')
    .where(isUnfinished)
    .where('api_key_id', '=', apiKeyId)
    .where('process_id', '<>', processId)
    .limit(1)
    .executeTakeFirst();
  return hold !== undefined;
}

function unfinishedHolds(db: Db, { after, limit }: TraceIdPage) {
  return db.kysely
    .selectFrom('holds')
    .select(['trace_id', 'state'])
    .where(isUnfinished)
    .where('trace_id', '>', after ?? '')
    .orderBy('trace_id')
    .limit(limit);
}

/** In the words of the index `holds_unfinished`, or the engines would not see that it serves. */
export const isUnfinished = sql<boolean>`(holds.state = 'open' or (holds.state = 'settled'
  and holds.delivered_at is null and holds.refunded_at is null))`;

function isRunning({ engine }: Pick<Db, 'engine'>): RawBuilder<SqlBool> {
  const now = databaseNow(engine);
  return sql<SqlBool>`(lease_until > ${now} and lease_until <= ${now} + ${sql.lit(leaseMsMax)})`;
}

/** Whether any process may end a hold: its lease and any claim have run out, by the database's clock. */
export function isLetGo(db: Pick<Db, 'engine'>): RawBuilder<SqlBool> {
  const living = sql`select id from processes where ${isRunning(db)}`;
  return sql<SqlBool>`(holds.process_id not in (${living}) and ${isUnclaimed(db)})`;
}

/** Whether no claim of a hold's delivery is in force, nor was at any time within the last `agoMs`. */
export function isUnclaimed({ engine }: Pick<Db, 'engine'>, agoMs = 0): RawBuilder<SqlBool> {
  const last = sql`${databaseNow(engine)} - ${sql.lit(agoMs)}`;
  return sql<SqlBool>`(holds.claimed_until is null or holds.claimed_until <= ${last})`;
}

function toUnfinished(row: { trace_id: string; state: HoldState }): UnfinishedHold {
  return { traceId: row.trace_id, state: row.state === 'open' ? 'open' : 'settled' };
}

/** Long after the last moment in which one that only slept or was cut off may go on where it was. */
const forgottenAfterMs = 24 * 3_600_000;

/** Forgets processes whose lease has long been over and whose holds have all been dealt with. */
export async function forgetDeadProcesses(trx: Trx): Promise<void> {
  await trx.kysely
    .deleteFrom('processes')
    .where(
      'lease_until',
      '<=',
      sql<number>`${databaseNow(trx.engine)} - ${sql.lit(forgottenAfterMs)}`,
    )
    .where('id', 'not in', (eb) => eb.selectFrom('holds').select('process_id').where(isUnfinished))
    .execute();
}
