/** The servers of a storm, and a load balancer as simple as they come: one after the other. */

import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { must } from '../../server/lib/assert.ts';
import type { Life } from './life.ts';
import type { Blow } from './plan-blows.ts';
import { ServerProcess } from './server-process.ts';

export interface FleetOptions {
  count: number;
  /** For a log of each life. */
  folder: string;
  environment: Readonly<Record<string, string>>;
  /** How long a frozen process sleeps: longer than its lease. */
  freezeMs: number;
}

const answerWaitMs = 700;

export class Fleet {
  readonly servers: readonly ServerProcess[];
  readonly #freezeMs: number;
  /** What is still to be done to each server: one blow at a time. */
  readonly #queues = new Map<ServerProcess, Promise<void>>();
  #turn = 0;

  private constructor(servers: readonly ServerProcess[], freezeMs: number) {
    this.servers = servers;
    this.#freezeMs = freezeMs;
  }

  static async open(options: FleetOptions): Promise<Fleet> {
    const { count, environment, folder, freezeMs } = options;
    const servers: ServerProcess[] = [];
    for (let number = 0; number < count; number++) {
      const port = await freePort();
      servers.push(new ServerProcess({ number, port, environment, folder }));
    }
    return new Fleet(servers, freezeMs);
  }

  get lives(): readonly Life[] {
    return this.servers.flatMap(({ lives }) => lives);
  }

  /** Whether anybody would take a request, or at least its connection. */
  get isUp(): boolean {
    return this.servers.some(({ life }) => life.readyAt !== null && life.endedAt === null);
  }

  /** The next server in turn, whether it is up or not: that is for the client to find out. */
  next(): ServerProcess {
    return must(this.servers[this.#turn++ % this.servers.length], 'a server');
  }

  async start(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.start()));
  }

  /** Strikes when the server has got over the blow before; resolves when it is up again. */
  strike(blow: Blow): Promise<void> {
    const server = must(this.servers[blow.server], 'the struck server');
    const before = this.#queues.get(server) ?? Promise.resolve();
    const after = before.then(() => this.#strike(server, blow));
    this.#queues.set(server, after);
    return after;
  }

  async stop(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.terminate()));
  }

  destroy(): void {
    for (const server of this.servers) server.destroy();
  }

  async #strike(server: ServerProcess, { kind, afterAnswerMs, againAfterMs }: Blow): Promise<void> {
    if (afterAnswerMs !== null) {
      await server.nextAnswer(answerWaitMs);
      if (afterAnswerMs > 0) await sleep(afterAnswerMs);
    }
    switch (kind) {
      case 'freeze':
        return server.freeze(this.#freezeMs);
      case 'terminate':
        await server.terminate();
        return server.start();
      case 'kill':
        await server.kill(kind);
        return server.start();
      case 'double':
        await server.kill(kind);
        server.spawn();
        await sleep(againAfterMs);
        await server.kill(kind);
        return server.start();
    }
  }
}

/** Fixed for the storm, so that a restarted server is found where it was. */
async function freePort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  listener.close();
  await once(listener, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  return address.port;
}
