/**
 * Cuts the connections of callers that do not read their answer, so that nobody can make the process keep pictures
 * in memory. Such a caller is charged like one that leaves in the middle of the answer.
 */
import type { ServerResponse } from 'node:http';
import { endWait } from '../../lib/abort.ts';
import type { Clock } from '../../lib/clock.ts';

/** The whole answer may take so many times as long as the caller may pause. */
const wholeTimes = 10;

/** How long handing over a whole answer may take at the most, however steadily the caller reads. */
export function deliveryLimitMs(timeoutMs: number): number {
  return timeoutMs * wholeTimes;
}

/** From here on, cuts the connection when the caller has read nothing for `timeoutMs` of what is there to be read. */
export function cutStalledReader(response: ServerResponse, timeoutMs: number): void {
  const { socket } = response;
  if (!socket || response.destroyed || isTaken(response)) return;
  // Node starts it anew whenever the operating system has taken a part of what waits.
  response.setTimeout(timeoutMs, () => {
    // A stream that is between two events owes nothing.
    if (response.writableLength > 0) response.destroy();
    else response.setTimeout(timeoutMs);
  });
  // Before Node sets how long an idle connection is kept; another answer may be waiting, too.
  response.prependOnceListener('finish', () => socket.setTimeout(0));
}

/**
 * To be called when the end of the answer was written. Cuts the connection if the operating system does not have all
 * of it within {@link deliveryLimitMs}.
 */
export function cutSlowReader(
  response: ServerResponse,
  { clock, timeoutMs }: { clock: Clock; timeoutMs: number },
): void {
  if (response.destroyed || isTaken(response)) return;
  const over = new AbortController();
  response.once('close', () => endWait(over));
  clock.sleep(deliveryLimitMs(timeoutMs), over.signal).then(
    () => response.destroy(),
    // Taken in time, or cut.
    () => undefined,
  );
}

/** Whether the operating system has all of it: most answers go out in one write. */
function isTaken({ writableEnded, writableLength }: ServerResponse): boolean {
  return writableEnded && writableLength === 0;
}
