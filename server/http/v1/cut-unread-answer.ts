/**
 * Cuts the connections of callers that do not take their answer: nobody can make the process hold a
 * picture by not reading it. What such a caller pays is what one pays that leaves in the middle.
 */
import type { ServerResponse } from 'node:http';
import { endWait } from '../../lib/abort.ts';
import type { Clock } from '../../lib/clock.ts';

/** How many times the timeout a caller may take for an answer that it takes bit by bit. */
const wholeTimes = 10;

/** How long handing over an answer may take at the most. */
export function deliveryLimitMs(timeoutMs: number): number {
  return timeoutMs * wholeTimes;
}

/** From here on, the caller may take nothing of what waits for it for so long and no longer. */
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
 * The end of the answer was written: what of it the operating system does not have yet may take so many times longer, and
 * no more, for all.
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
