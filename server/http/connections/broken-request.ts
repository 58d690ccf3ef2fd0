import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Clock } from '../../lib/clock.ts';
import { makeId } from '../../lib/ids.ts';
import type { Logger } from '../../lib/logger.ts';
import { STATUS_CODES } from '../../lib/node-http.ts';
import { invalidRequest, ServiceError } from '../../lib/service-error.ts';
import { errorBody, statusOf } from '../errors.ts';
import { OwedAnswers } from './owed-answers.ts';

/** The headers of a request together. */
export const headerBytesMax = 16_384;

/** How long a client may go on sending what nobody reads before its connection is cut. */
const lingerMs = 2_000;

const statuses: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

const notHttp = invalidRequest(null, 'The request is not well-formed HTTP.');
const errors: Readonly<Record<number, ServiceError>> = {
  408: invalidRequest(null, 'The request did not arrive in time.'),
  431: invalidRequest(
    null,
    `The headers of the request are too large: together they may have ${headerBytesMax} bytes.`,
  ),
};
const noTunnels = new ServiceError('method_not_allowed', 'Nothing here takes CONNECT.');

interface Deps {
  clock: Clock;
  log: Logger;
}

/**
 * Answers what never reaches a route, because it is not HTTP or came too slowly: each connection
 * once, after everything else it is owed, and closes it.
 */
export function answerBrokenRequests(server: Server, deps: Deps): void {
  const owed = new OwedAnswers(server);
  const answered = new WeakSet<Duplex>();
  const refuse = (socket: Duplex, error: ServiceError, status: number) => {
    // The rest of a broken request is broken too.
    if (answered.has(socket)) return;
    answered.add(socket);
    void answerInTurn({ socket, error, status, owed }, deps);
  };
  server.on('clientError', (error: Error & { code?: string }, socket: Duplex) => {
    if (error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    const status = statuses[error.code ?? ''] ?? 400;
    refuse(socket, errors[status] ?? notHttp, status);
  });
  // Without a listener, Node closes the connection without a word.
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => {});
    refuse(socket, noTunnels, statusOf(noTunnels.code));
  });
}

interface Refused {
  socket: Duplex;
  error: ServiceError;
  status: number;
  owed: OwedAnswers;
}

async function answerInTurn(
  { socket, error, status, owed }: Refused,
  { clock, log }: Deps,
): Promise<void> {
  const traceId = makeId('tr', clock.now());
  log.debug({ trace_id: traceId, status }, 'broken request');
  await owed.sent(socket);
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  if (owed.isAnsweredEarly(socket)) socket.end();
  else socket.end(answerOf(error, { status, traceId }));
  await cutLater(socket, clock);
}

function answerOf(
  error: ServiceError,
  { status, traceId }: { status: number; traceId: string },
): string {
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
async function cutLater(socket: Duplex, clock: Clock): Promise<void> {
  const closed = new AbortController();
  socket.once('close', () => closed.abort());
  try {
    await clock.sleep(lingerMs, closed.signal);
    socket.destroy();
  } catch {
    // It was closed before.
  }
}
