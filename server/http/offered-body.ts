import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** The answers to requests whose clients keep the body until they are told that it is wanted. */
const waiting = new WeakMap<IncomingMessage, ServerResponse>();

/**
 * Node would ask for the body before the key was checked, and refuse what it does not know without
 * a trace ID. Whoever reads a body asks for it: see {@link askForBody}.
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

/** Tells a client that offered its body, and waits, to send it. Others send theirs unasked. */
export function askForBody(message: IncomingMessage): void {
  waiting.get(message)?.writeContinue();
  waiting.delete(message);
}
