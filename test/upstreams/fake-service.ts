/** A service on loopback: it answers as a protocol says, and misbehaves as a scenario wants. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { FakeAnswer, FakeProtocol, SeenRequest } from './contract-subject.ts';
import type { Delivery } from './deliveries.ts';

/** What goes out, and how. */
export interface Reply {
  answer: FakeAnswer;
  deliver: Delivery;
}

export interface FakeBehaviour {
  protocol: Pick<FakeProtocol, 'isMain' | 'answerOther' | 'attach'>;
  /** Answers the main exchange. */
  main: (request: SeenRequest, origin: string) => Reply;
  /** Answers one of the others; null leaves it to the protocol. */
  other?: (request: SeenRequest, origin: string) => Reply | null;
  /** How long it leaves a connection open for the next request, and says so; 5 seconds by default. */
  keepAliveMs?: number;
}

interface Exchange {
  request: SeenRequest;
  socket: Socket;
}

export class FakeService {
  /** All requests, WebSocket handshakes included, in the order of their arrival. */
  readonly seen: SeenRequest[] = [];
  /** All answers to main exchanges. */
  readonly answered: FakeAnswer[] = [];
  /** What went wrong in the fake itself. */
  readonly troubles: unknown[] = [];
  /** How many connections were ever opened. */
  connections = 0;
  readonly #behaviour: FakeBehaviour;
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  readonly #mainExchanges: Exchange[] = [];
  readonly #watchers = new Set<() => void>();
  #origin = '';

  static async start(behaviour: FakeBehaviour): Promise<FakeService> {
    const fake = new FakeService(behaviour);
    fake.#server.listen(0, '127.0.0.1');
    await once(fake.#server, 'listening');
    // A listening TCP server's address is never a string.
    const { port } = fake.#server.address() as AddressInfo;
    fake.#origin = `http://127.0.0.1:${port}`;
    return fake;
  }

  private constructor(behaviour: FakeBehaviour) {
    this.#behaviour = behaviour;
    this.#server = createServer((request, response) => void this.#handle(request, response));
    if (behaviour.keepAliveMs) this.#server.keepAliveTimeout = behaviour.keepAliveMs;
    this.#server.on('connection', (socket) => this.#track(socket));
    if (!behaviour.protocol.attach) return;
    behaviour.protocol.attach(this.#server);
    this.#server.prependListener('upgrade', (request) => {
      this.#note(seenRequest(request, Buffer.alloc(0)));
    });
  }

  get origin(): string {
    return this.#origin;
  }

  get openConnections(): number {
    return this.#open.size;
  }

  get mainRequests(): readonly SeenRequest[] {
    return this.#mainExchanges.map(({ request }) => request);
  }

  /** Whether every connection that a main exchange came on is closed. */
  get mainConnectionsClosed(): boolean {
    return this.#mainExchanges.every(({ socket }) => !this.#open.has(socket));
  }

  /** Resolves as soon as the condition holds; looks whenever something arrives or closes. */
  async until(
    condition: () => boolean,
    { what, patienceMs }: { what: string; patienceMs: number },
  ): Promise<void> {
    if (condition()) return;
    await new Promise<void>((resolve, reject) => {
      const look = () => {
        if (!condition()) return;
        end();
        resolve();
      };
      const timer = setTimeout(() => {
        end();
        reject(new Error(`the fake service waited in vain: ${what}`));
      }, patienceMs);
      const end = () => {
        clearTimeout(timer);
        this.#watchers.delete(look);
      };
      this.#watchers.add(look);
    });
  }

  async stop(): Promise<void> {
    if (!this.#server.listening) return;
    this.#server.close();
    for (const socket of this.#open) socket.destroy();
    await once(this.#server, 'close');
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => {});
    try {
      const seen = seenRequest(request, await readBody(request));
      const { answer, deliver } = this.#reply(seen, request.socket);
      await deliver(response, answer);
    } catch (error) {
      // Whoever leaves while it is read or answered is what several scenarios are about.
      if (request.socket.destroyed) return;
      this.troubles.push(error);
      request.socket.destroy();
    }
  }

  #reply(request: SeenRequest, socket: Socket): Reply {
    const { protocol, main, other } = this.#behaviour;
    if (protocol.isMain(request)) {
      this.#mainExchanges.push({ request, socket });
      this.#note(request);
      const reply = main(request, this.#origin);
      this.answered.push(reply.answer);
      return reply;
    }
    this.#note(request);
    const reply = other?.(request, this.#origin) ?? null;
    if (reply) return reply;
    return { answer: protocol.answerOther(request, this.#origin), deliver: deliverPlainly };
  }

  #note(request: SeenRequest): void {
    this.seen.push(request);
    this.#tellWatchers();
  }

  #track(socket: Socket): void {
    this.connections++;
    this.#open.add(socket);
    socket.setNoDelay();
    socket.on('error', () => {});
    socket.on('close', () => {
      this.#open.delete(socket);
      this.#tellWatchers();
    });
    this.#tellWatchers();
  }

  #tellWatchers(): void {
    for (const look of this.#watchers) look();
  }
}

function deliverPlainly(response: ServerResponse, { status, headers, body }: FakeAnswer): void {
  response.writeHead(status, headers).end(Buffer.concat(body));
}

function seenRequest(request: IncomingMessage, body: Buffer): SeenRequest {
  const headers = Object.entries(request.headers).map(
    ([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')] as const,
  );
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    headers: Object.fromEntries(headers),
    body,
  };
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  // Without an encoding of characters, a request comes in buffers.
  for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece);
  return Buffer.concat(pieces);
}
