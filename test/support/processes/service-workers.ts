/** The service as several worker processes, each of which a test may kill. */
import { expect } from 'vitest';
import type { Database } from '../../../server/db/db.ts';
import type { Engine } from '../databases/databases.ts';
import { patience } from '../patience.ts';
import { type ServiceProcess, spawnService } from './service-process.ts';

export interface ServiceWorkers extends ServiceProcess {
  /** Process IDs of the workers that hold a lease now. */
  pids(): Promise<number[]>;
  /** Requests under way, by the process ID of their worker. */
  running(): Promise<ReadonlyMap<number, number>>;
  /** The metrics of all workers together, from whichever has its turn. */
  metrics(): Promise<string>;
}

const metricsToken = 'a-token-for-metrics-only';

/**
 * Starts the service on an equipped database.
 *
 * @param onEnd is told how to end whatever is left of it
 */
export async function startWorkers(
  engine: Engine,
  database: Database,
  options: Record<string, string>,
  onEnd: (end: () => Promise<void>) => void,
): Promise<ServiceWorkers> {
  const seen = new Set<number>();
  const pids = async () => {
    const rows = await database.kysely.selectFrom('processes').select('pid').execute();
    for (const { pid } of rows) seen.add(pid);
    return rows.map(({ pid }) => pid);
  };
  const spawned = spawnService(engine.locationOf(database), {
    TINTYPE_METRICS_TOKEN: metricsToken,
    ...options,
  });
  onEnd(async () => {
    await pids();
    await spawned.end();
    // They would go on for as long as their requests take when their supervisor is killed.
    for (const pid of seen) endIfRunning(pid);
  });
  const service = await spawned.started;
  await pids();
  const running = async () => {
    const rows = await database.kysely
      .selectFrom('holds')
      .innerJoin('processes', 'processes.id', 'holds.process_id')
      .select(({ fn }) => ['processes.pid', fn.countAll<number>().as('count')])
      .where('holds.state', '=', 'open')
      .groupBy('processes.pid')
      .execute();
    return new Map(rows.map(({ pid, count }) => [pid, count]));
  };
  const metrics = async () => {
    const answer = await fetch(`${service.baseUrl}/metrics`, {
      // Another connection each time, for another worker.
      headers: { authorization: `Bearer ${metricsToken}`, connection: 'close' },
    });
    expect(answer.status).toBe(200);
    return answer.text();
  };
  return { ...service, pids, running, metrics };
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Resolves when none of these processes is left. */
export async function allGone(pids: readonly number[]): Promise<void> {
  await expect.poll(() => pids.filter(isRunning), patience).toEqual([]);
}

function endIfRunning(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself, as it should.
  }
}
