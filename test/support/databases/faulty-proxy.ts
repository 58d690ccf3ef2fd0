/**
 * A network that fails as a test says: a proxy between the service and PostgreSQL that knows as much
 * of the protocol as it takes to tell which statement is on its way.
 */

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { MessageReader, StatementReader } from './postgres-messages.ts';

/** What becomes of a statement. */
export type StatementFate =
  | 'works'
  /** The connection breaks before it reaches the database. */
  | 'is lost'
  /** The database does it, and the connection breaks before its answer. */
  | 'happens unheard';

/** Which way messages go: those of the service, or the answers. */
export type MessageWay = 'asked' | 'answered';

export class FaultyProxy {
  /**
   * Decides about each statement: by its name where it is prepared (a chain's own name), else by its
   * text. A promise keeps the statement waiting on the way.
   */
  fateOf: (statement: string) => StatementFate | Promise<StatementFate> = () => 'works';
  /** So many more messages go this way, then the connection of the next breaks instead, and this is null again. */
  breakAfter: { way: MessageWay; messages: number } | null = null;
  /** Whether new connections are let through. */
  isOpen = true;
  readonly #server: Server;
  readonly #connections = new Set<Socket>();
  #target: number;

  /** In front of the server that `databaseUrl` names, which is on this machine. */
  static async start(databaseUrl: string): Promise<FaultyProxy> {
    const proxy = new FaultyProxy(portOf(databaseUrl));
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  private constructor(target: number) {
    this.#target = target;
    this.#server = createServer((client) => this.#accept(client));
  }

  /** The same database by way of this proxy. */
  urlOf(databaseUrl: string): string {
    const url = new URL(databaseUrl);
    // A listening TCP server's address is never a string.
    url.port = String((this.#server.address() as AddressInfo).port);
    return url.href;
  }

  /** The next run of `statement`, and `times` in all, meets this fate; resolves at the first. */
  fail(statement: string, fate: StatementFate, times = 1): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    let left = times;
    this.fateOf = (each) => {
      if (each !== statement || left === 0) return 'works';
      left--;
      resolve();
      return fate;
    };
    return promise;
  }

  /** From here on connections lead to another server. */
  switchTo(databaseUrl: string): void {
    this.#target = portOf(databaseUrl);
    this.cutAll();
  }

  cutAll(): void {
    for (const socket of this.#connections) socket.destroy();
  }

  async stop(): Promise<void> {
    this.isOpen = false;
    this.cutAll();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #accept(client: Socket): void {
    if (!this.isOpen) {
      client.resetAndDestroy();
      return;
    }
    const server = connect(this.#target, '127.0.0.1');
    this.#pair(client, server);
    const answers = new MessageReader({ hasStartup: false });
    let unheard = false;
    server.on('data', (bytes) => {
      for (const message of answers.read(bytes)) {
        if (this.#breaksAt('answered')) client.resetAndDestroy();
        if (!unheard && !client.destroyed) client.write(message.bytes);
        else if (message.type === 'Z') client.destroy();
      }
    });
    const statements = new StatementReader();
    let before = Promise.resolve();
    client.on('data', (bytes) => {
      before = before.then(async () => {
        for (const { message, statement } of statements.read(bytes)) {
          const fate = statement === null ? 'works' : await this.fateOf(statement);
          if (fate === 'is lost' || this.#breaksAt('asked')) client.destroy();
          if (fate === 'happens unheard') unheard = true;
          if (!client.destroyed) server.write(message);
        }
      });
    });
  }

  #breaksAt(way: MessageWay): boolean {
    if (this.breakAfter?.way !== way) return false;
    if (this.breakAfter.messages > 0) {
      this.breakAfter.messages--;
      return false;
    }
    this.breakAfter = null;
    return true;
  }

  /** What ends one side of a connection ends the other. */
  #pair(client: Socket, server: Socket): void {
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#connections.add(socket);
      socket.setNoDelay();
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        this.#connections.delete(socket);
        other.destroy();
      });
    }
  }
}

function portOf(databaseUrl: string): number {
  return Number(new URL(databaseUrl).port);
}
