import type { Server, ServerResponse } from 'node:http';
import { type Socket, Server as TcpServer } from 'node:net';
import { setImmediate as afterThisTurn } from 'node:timers/promises';
import { Roster } from '../../lib/roster.ts';
import { noteIfTaken, watchHandOver } from './handed-over.ts';

/**
 * Knows the answers that are under way on a server's connections, that is, those which the operating system does not
 * have whole, and closes connections in good order.
 */
export class ClientConnections {
  readonly #server: Server;
  /** In the order of their requests, each with its end: to listen for it at every wait would be taken for a leak. */
  readonly #answers = new Roster<{ answer: ServerResponse; closed: Promise<void> }>();
  #last = 0;
  #hasLeft = false;

  constructor(server: Server) {
    this.#server = server;
    server.on('request', (_request, answer: ServerResponse) => this.#note(answer));
  }

  /** Whether each connection is closed after its next answer. */
  get hasLeft(): boolean {
    return this.#hasLeft;
  }

  /**
   * From now on, each connection is closed after its next answer. A load balancer then opens new ones to other
   * instances, and no request that it has sent already is refused.
   */
  leave(): void {
    this.#hasLeft = true;
    const latest = new Map<Socket, ServerResponse>();
    for (const { answer } of this.#answers.values()) latest.set(answer.req.socket, answer);
    for (const [socket, answer] of latest) {
      answer.shouldKeepAlive = false;
      // It cannot say so any more.
      if (answer.headersSent) answer.once('close', () => socket.end());
    }
  }

  /** Takes no new connections. */
  async stopListening(): Promise<void> {
    // The system has made connections already that this turn of the loop is still to take; they would be cut off.
    await afterThisTurn();
    // The HTTP server's own `close` also cuts off answers that are written and not yet sent.
    TcpServer.prototype.close.call(this.#server);
  }

  /** Resolves when no answer is under way. */
  async sent(): Promise<void> {
    while (this.#answers.size > 0) {
      await Promise.all(this.#answers.values().map(({ closed }) => closed));
    }
  }

  /** Notes which answers the operating system has whole, for whoever cuts all of them off in this turn of the event loop. */
  noteHandedOver(): void {
    for (const { answer } of this.#answers.values()) noteIfTaken(answer);
  }

  #note(answer: ServerResponse): void {
    watchHandOver(answer);
    const id = `answer ${++this.#last}`;
    const { promise: closed, resolve: tellClosed } = Promise.withResolvers<void>();
    this.#answers.set(id, { answer, closed });
    if (this.#hasLeft) answer.shouldKeepAlive = false;
    answer.once('close', () => {
      this.#answers.delete(id);
      tellClosed();
    });
  }
}
