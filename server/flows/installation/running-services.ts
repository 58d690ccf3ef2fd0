import type { Db } from '../../db/db.ts';
import { listTables } from '../../db/engine.ts';
import { OperatorError } from '../../lib/operator-error.ts';
import { isoTime } from '../../lib/time-text.ts';
import { type LeasedProcess, listLeased } from '../../wallets/lease-store.ts';
import { hostId, isAlive } from '../money/keep-lease.ts';

/** Refuses what must not be done while a service works on the database. */
export async function refuseWhileServed(db: Db): Promise<void> {
  const service = await findRunningService(db);
  if (service)
    throw new OperatorError(`a service runs on this database (${service}): stop it first`);
}

/** Where a service works on the database, in words; null where none does. */
export async function findRunningService(db: Db): Promise<string | null> {
  const [service] = await findRunningServices(db);
  if (!service) return null;
  const { host, pid, leaseUntil } = service;
  if (host === hostId()) return `process ${pid}`;
  return `process ${pid} on ${host.split(' ')[0]}, or it has died and its lease runs until ${isoTime(leaseUntil)}`;
}

/** Those whose lease runs, but for those of this machine that are known to be gone. */
async function findRunningServices(db: Db): Promise<readonly LeasedProcess[]> {
  if (!(await listTables(db)).has('processes')) return [];
  const leased = await listLeased(db);
  return leased.filter((service) => service.host !== hostId() || isAlive(service));
}
