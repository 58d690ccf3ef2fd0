import type { Db } from '../db/db.ts';
import { databaseNow, listTables } from '../db/engine.ts';
import { OperatorError } from '../lib/operator-error.ts';
import { isoTime } from '../lib/time-text.ts';
import type { ProcessIdentity } from '../wallets/lease-store.ts';
import { hostId, isAlive } from './keep-lease.ts';

type RunningService = ProcessIdentity & { leaseUntil: number };

/** Refuses what must not be done while a service works on the database. */
export async function refuseWhileServed(db: Db): Promise<void> {
  const [service] = await findRunningServices(db);
  if (!service) return;
  const { host, pid, leaseUntil } = service;
  const where =
    host === hostId()
      ? `process ${pid}`
      : `process ${pid} on ${host.split(' ')[0]}, or it has died and its lease runs until ${isoTime(leaseUntil)}`;
  throw new OperatorError(`a service runs on this database (${where}): stop it first`);
}

/** Those whose lease runs, but for those of this machine that are known to be gone. */
async function findRunningServices(db: Db): Promise<readonly RunningService[]> {
  if (!(await listTables(db)).has('processes')) return [];
  const rows = await db.kysely
    .selectFrom('processes')
    .selectAll()
    .where('lease_until', '>', databaseNow(db.engine))
    .orderBy('id')
    .execute();
  return rows
    .map((row) => ({
      id: row.id,
      host: row.host,
      pid: row.pid,
      startedAt: row.started_at,
      leaseUntil: row.lease_until,
    }))
    .filter((service) => service.host !== hostId() || isAlive(service));
}
