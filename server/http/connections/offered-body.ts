import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** Requests with `Expect: 100-continue`, whose clients wait for leave to send the body, and their answers. */
const waiting = new WeakMap<IncomingMessage, ServerResponse>();

/**
 * Keeps Node from answering `Expect` headers by itself: it would ask for the body before the API key was checked, and
 * refuse other expectations without a trace ID. Whoever reads a body asks for it: see {@link askForBody}.
 */
export function leaveExpectationsAlone(server: Server): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    waiting.set(request, response);
    server.emit('request', request, response);
  });
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}

/** Whether its client keeps the body until it is told that it is wanted, and nobody has told it. */
export function isOffered(message: IncomingMessage): boolean {
  return waiting.has(message);
}

/** Tells a client that waits for leave to send its body; does nothing for others, which send theirs unasked. */
export function askForBody(message: IncomingMessage): void {
  waiting.get(message)?.writeContinue();
  waiting.delete(message);
}
