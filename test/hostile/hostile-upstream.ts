/** An image service that answers as a test or the fuzzer plans it; well where nothing is planned. */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { FakeAnswer, SeenRequest } from '../upstreams/contract-subject.ts';
import { openaiSubject } from '../upstreams/openai-images.ts';
import { openaiResponsesSubject } from '../upstreams/openai-responses.ts';
import { deliverAnswer, type WireAnswer, wireAnswerOf } from './wire-answer.ts';

/** What a plan makes of the answer that would be right. */
export type Plan = (right: WireAnswer) => WireAnswer | Promise<WireAnswer>;

const images = openaiSubject().fake;
const responses = openaiResponsesSubject.fake;

/**
 * Speaks the Images and the Responses API. What an upstream is asked for is planned by its path: an
 * upstream with the base URL `<origin>/<plan>/v1` gets what is planned for `<plan>`.
 */
export class HostileUpstream {
  readonly origin: string;
  readonly plans = new Map<string, Plan>();
  /** How many pictures it was asked for, by plan. */
  readonly asked = new Map<string, number>();
  readonly #picture: Buffer;
  readonly #sockets: Set<Socket>;
  readonly #close: () => void;

  private constructor(
    parts: { origin: string; picture: Buffer; sockets: Set<Socket> },
    close: () => void,
  ) {
    this.origin = parts.origin;
    this.#picture = parts.picture;
    this.#sockets = parts.sockets;
    this.#close = close;
  }

  /** @param picture what it gives when nothing is planned */
  static async start(picture: Buffer): Promise<HostileUpstream> {
    const sockets = new Set<Socket>();
    const server = createServer((request) => void upstream.#handle(request));
    // Its answers are written to the bare connection, which Node takes for silence.
    server.requestTimeout = 0;
    server.keepAliveTimeout = 0;
    server.on('connection', (socket) => {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    // A listening TCP server's address is never a string.
    const { port } = server.address() as AddressInfo;
    const origin = `http://127.0.0.1:${port}`;
    const upstream = new HostileUpstream({ origin, picture, sockets }, () => server.close());
    return upstream;
  }

  get connections(): number {
    return this.#sockets.size;
  }

  baseUrlOf(plan: string): string {
    return `${this.origin}/${plan}/v1`;
  }

  async stop(): Promise<void> {
    this.#close();
    for (const socket of this.#sockets) socket.destroy();
  }

  async #handle(message: IncomingMessage): Promise<void> {
    const { socket } = message;
    try {
      const request = await seenRequest(message);
      const [, plan = '', rest = ''] = /^\/([^/]+)(\/v1\/.*)$/.exec(request.path) ?? [];
      const own = { ...request, path: rest };
      const isMain = images.isMain(own) || responses.isMain(own);
      const right = wireAnswerOf(isMain ? this.#right(own) : images.answerOther(own, this.origin));
      if (isMain) this.asked.set(plan, (this.asked.get(plan) ?? 0) + 1);
      const given = isMain ? ((await this.plans.get(plan)?.(right)) ?? right) : right;
      await deliverAnswer(socket, given);
    } catch {
      // Whoever leaves while it is read or answered is what several plans are about.
      socket.destroy();
    }
  }

  #right(request: SeenRequest): FakeAnswer {
    if (responses.isMain(request)) return responses.picture(this.#picture, request);
    const isStream = request.body.includes('"stream":true') && images.streamed;
    if (isStream) return isStream([this.#picture], this.#picture);
    return images.picture(this.#picture, request);
  }
}

async function seenRequest(message: IncomingMessage): Promise<SeenRequest> {
  const pieces: Buffer[] = [];
  // Without an encoding of characters, a request comes in buffers.
  for await (const piece of message as AsyncIterable<Buffer>) pieces.push(piece);
  return {
    method: message.method ?? '',
    path: message.url ?? '',
    headers: {},
    body: Buffer.concat(pieces),
  };
}
