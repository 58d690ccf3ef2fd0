import { setImmediate as afterThisTurn } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { ImageRuns } from '../../flows/requests/runs/image-runs.ts';
import type { SiblingRuns } from '../../flows/requests/siblings/sibling-runs.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Logger } from '../../lib/logger.ts';
import type { ClientConnections } from './client-connections.ts';

interface Serving {
  server: FastifyInstance;
  connections: ClientConnections;
  runs: ImageRuns;
  siblings: SiblingRuns | null;
}

interface Stopping {
  clock: Clock;
  log: Logger;
  delayMs: number;
  limitMs: number;
}

/** How long to wait until cut answers have noticed it. Node 22 does not tell all of them that their connection closed. */
const cutOffMs = 1_000;

/**
 * Stops serving in good order:
 *
 * 1. For `delayMs` everything is served as before, but `/readyz` says that the service is leaving, and each connection
 *    is closed after its next answer.
 * 2. No new connections are taken. Requests that have come, and those that still come on open connections, are served
 *    for up to `limitMs`.
 * 3. Requests that take longer are ended without a charge, and answers that are not read to their end are cut off.
 * 4. Charges whose pictures nobody took are returned, for nobody can come back for them.
 */
export async function stopServing(
  { server, connections, runs, siblings }: Serving,
  { clock, log, delayMs, limitMs }: Stopping,
): Promise<void> {
  connections.leave();
  if (delayMs > 0) await clock.sleep(delayMs);
  await connections.stopListening();
  const limit = new AbortController();
  const late = clock.sleep(limitMs, limit.signal).then(
    () => true,
    () => false,
  );
  const sent = Promise.all([connections.sent(), siblings?.returned()]).then(() => false);
  await Promise.race([late, sent]);
  runs.close();
  const drained = runs.drained().then(() => false);
  if (runs.size > 0 && (await Promise.race([late, drained]))) {
    log.warn({ running: runs.size }, 'ending requests that did not finish in time');
    await Promise.all([runs.interruptAll(), siblings?.interruptAll()]);
  }
  // To close the server is to cut them off.
  if (await Promise.race([late, sent])) {
    connections.noteHandedOver();
    runs.cutOff();
    siblings?.cutOff();
  }
  const closed = server.close().then(() => false);
  // Clients that do not take their answers do not keep the service from stopping.
  if (await Promise.race([late, closed])) server.server.closeAllConnections();
  await closed;
  // A server is closed before the last answers have been told that they were cut off.
  await Promise.race([connections.sent(), clock.sleep(cutOffMs, limit.signal).catch(() => null)]);
  // What was cut off is noted in the turn that closed its connection.
  await afterThisTurn();
  limit.abort();
  await runs.finish();
}
