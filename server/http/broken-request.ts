import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../lib/clock.ts';
import { makeId } from '../lib/ids.ts';
import type { Logger } from '../lib/logger.ts';
import { invalidRequest } from '../lib/service-error.ts';
import { errorBody } from './errors.ts';

/** How long a client may go on sending what nobody reads before its connection is cut. */
const lingerMs = 2_000;

const statuses: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Answers what is not HTTP and never reaches a route, each connection once, and closes it. */
export function brokenRequestHandler({ clock, log }: { clock: Clock; log: Logger }) {
  const answered = new WeakSet<Socket>();
  return (error: Error & { code?: string }, socket: Socket): void => {
    // The rest of a broken request is broken too.
    if (answered.has(socket)) return;
    answered.add(socket);
    const traceId = makeId('tr', clock.now());
    log.debug({ trace_id: traceId, code: error.code }, 'broken request');
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    socket.end(answerOf(statuses[error.code ?? ''] ?? 400, traceId));
    void cutLater(socket, clock);
  };
}

function answerOf(status: number, traceId: string): string {
  const error = invalidRequest(null, 'The request is not well-formed HTTP.');
  const body = JSON.stringify(errorBody(error, traceId));
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `x-request-id: ${traceId}`,
    'connection: close',
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');
}

/** Cut at once, a client that is still sending would lose our answer. */
async function cutLater(socket: Socket, clock: Clock): Promise<void> {
  const closed = new AbortController();
  socket.once('close', () => closed.abort());
  try {
    await clock.sleep(lingerMs, closed.signal);
    socket.destroy();
  } catch {
    // It was closed before.
  }
}
