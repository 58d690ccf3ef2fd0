import type { FastifyInstance } from 'fastify';
import type { ImageRuns } from '../flows/image-runs.ts';
import type { Clock } from '../lib/clock.ts';
import type { Logger } from '../lib/logger.ts';
import type { OpenAnswers } from './open-answers.ts';

interface Serving {
  server: FastifyInstance;
  openAnswers: OpenAnswers;
  runs: ImageRuns;
}

/** For the answers of connections that are closed; some of Node 22 are never told. */
const cutOffMs = 1_000;

/**
 * New requests get a 503 while the running ones finish; what takes longer than `limitMs` is ended uncharged. What was
 * charged and not taken is returned, for nobody can come back for it.
 */
export async function stopServing(
  { server, openAnswers, runs }: Serving,
  { clock, log, limitMs }: { clock: Clock; log: Logger; limitMs: number },
): Promise<void> {
  runs.close();
  const limit = new AbortController();
  const late = clock.sleep(limitMs, limit.signal).then(
    () => true,
    () => false,
  );
  const drained = runs.drained().then(() => false);
  if (await Promise.race([late, drained])) {
    log.warn({ running: runs.size }, 'ending requests that did not finish in time');
    await runs.interruptAll();
  }
  const sent = openAnswers.sent().then(() => false);
  // To close the server is to cut them off.
  if (await Promise.race([late, sent])) runs.cutOff();
  const closed = server.close().then(() => false);
  // Clients that do not take their answers do not keep the service from stopping.
  if (await Promise.race([late, closed])) server.server.closeAllConnections();
  await closed;
  // A server is closed before the last answers have been told that they were cut off.
  await Promise.race([openAnswers.sent(), clock.sleep(cutOffMs, limit.signal).catch(() => null)]);
  limit.abort();
  await runs.finish();
}
