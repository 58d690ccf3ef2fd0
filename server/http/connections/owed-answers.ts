import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

interface Owed {
  request: IncomingMessage;
  response: ServerResponse;
}

/**
 * Knows which answers each connection still has to get. A client may send a request before the one before it is
 * answered. When the later request is broken, the connection must not be closed before the earlier ones have their
 * answers, which may be paid for.
 */
export class OwedAnswers {
  readonly #open = new WeakMap<Duplex, Owed[]>();
  readonly #latest = new WeakMap<Duplex, Owed>();

  constructor(server: Server) {
    server.on('request', (request: IncomingMessage, response: ServerResponse) =>
      this.#note(request.socket, { request, response }),
    );
  }

  /**
   * Resolves when every request that has come whole on this connection is answered, or the connection is closed.
   * Answers are sent in the order of their requests.
   */
  async sent(socket: Duplex): Promise<void> {
    for (;;) {
      const first = this.#open.get(socket)?.find(({ request }) => request.complete);
      if (!first || socket.destroyed) return;
      const over = new AbortController();
      const ends = [first.response, socket].map((ending) => {
        return once(ending, 'close', { signal: over.signal }).catch(() => {});
      });
      await Promise.race(ends);
      over.abort();
    }
  }

  /**
   * Whether the latest request, whose body did not come whole, has its answer already or is just
   * getting it. Nobody expects a second one.
   */
  isAnsweredEarly(socket: Duplex): boolean {
    const latest = this.#latest.get(socket);
    return latest !== undefined && !latest.request.complete && latest.response.headersSent;
  }

  #note(socket: Duplex, owed: Owed): void {
    const open = this.#openOf(socket);
    open.push(owed);
    this.#latest.set(socket, owed);
    owed.response.once('close', () => open.splice(open.indexOf(owed), 1));
  }

  /** A list rather than a set: see `Roster`; and there is hardly ever more than one. */
  #openOf(socket: Duplex): Owed[] {
    const known = this.#open.get(socket);
    if (known) return known;
    const open: Owed[] = [];
    this.#open.set(socket, open);
    socket.once('close', () => tellClosed(open));
    return open;
  }
}

/**
 * Node tells only the answer whose turn it is that its connection was closed. Whoever works on a later
 * one would never hear of it, and keep what belongs to the request for good.
 */
function tellClosed(open: readonly Owed[]): void {
  for (const { response } of [...open]) {
    if (response.socket) continue;
    response.destroy();
    response.emit('close');
  }
}
