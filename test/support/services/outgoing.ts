/** Services on loopback that outgoing requests meet, and what leads to them. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from 'node:net';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import {
  type GuardedHttp,
  type GuardedHttpOptions,
  openGuardedHttp,
} from '../../../server/lib/outgoing/guarded-http.ts';
import type { OutgoingAnswer } from '../../../server/lib/outgoing/outgoing-answer.ts';
import { localhostCertificate } from './localhost-certificate.ts';

/** Far from every time a test takes, for whichever limit it is not about. */
const noLimitMs = 60_000;

/** A guarded HTTP that lasts as long as the test. */
export function openTestHttp(
  origin: string,
  options: Partial<GuardedHttpOptions> = {},
): GuardedHttp {
  return openGuardedHttp({
    origins: [origin],
    proxy: null,
    firstByteMs: noLimitMs,
    idleMs: noLimitMs,
    ...options,
  });
}

export const noSignal = new AbortController().signal;

/** Asks for whatever the service has. */
export function get(http: GuardedHttp, { origin }: TestService): Promise<OutgoingAnswer> {
  return http.send({ method: 'GET', url: new URL(origin) }, noSignal);
}

export async function bytesOf(answer: OutgoingAnswer): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of answer.body) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** Until the connection of the answer before is free for the next request. */
export async function untilFree(): Promise<void> {
  for (let turns = 0; turns < 4; turns++) await new Promise(setImmediate);
}

export interface TestService {
  origin: string;
  port: number;
  requests: readonly ReceivedRequest[];
  /** How many connections have been opened to it. */
  connections: () => number;
  /** How many of them are open still. */
  open: () => number;
}

export interface ReceivedRequest {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

export type Answerer = (request: ReceivedRequest, response: ServerResponse) => unknown;

/** Reads each request whole, keeps it, and answers; it lasts as long as the test. */
export async function serve(
  answer: Answerer,
  { tls = false, host = '127.0.0.1' }: { tls?: boolean; host?: '127.0.0.1' | '::1' } = {},
): Promise<TestService> {
  const requests: ReceivedRequest[] = [];
  const listener = async (incoming: IncomingMessage, response: ServerResponse) => {
    const { method = '', url = '', headers } = incoming;
    const request = { method, url, headers, body: await buffer(incoming) };
    requests.push(request);
    await answer(request, response);
  };
  const handle = (incoming: IncomingMessage, response: ServerResponse) => {
    listener(incoming, response).catch(() => response.destroy());
  };
  const server = tls ? createTlsServer(localhostCertificate, handle) : createServer(handle);
  const { port, connections, open } = await listen(server, host);
  const plain = host === '::1' ? `http://[::1]:${port}` : `http://${host}:${port}`;
  return {
    origin: tls ? `https://localhost:${port}` : plain,
    port,
    requests,
    connections,
    open,
  };
}

/** Hands each connection over as it comes. */
export async function serveRaw(accept: (socket: Socket) => void): Promise<TestService> {
  const { port, connections, open } = await listen(createTcpServer(accept));
  return { origin: `http://127.0.0.1:${port}`, port, requests: [], connections, open };
}

/** Answers as `answer` writes it, whenever the head of a request has come: none may have a body. */
export function serveBytes(
  answer: (socket: Socket, number: number) => unknown,
): Promise<TestService> {
  let number = 0;
  return serveRaw((socket) => {
    let head = '';
    socket.on('data', (bytes) => {
      head += bytes.toString('latin1');
      if (!head.endsWith('\r\n\r\n')) return;
      head = '';
      answer(socket, number++);
    });
  });
}

/** What a form that was sent as multipart holds: texts, and files by their name, type and bytes. */
export async function readForm({ headers, body }: ReceivedRequest): Promise<object> {
  const type = headers['content-type'] ?? '';
  const form = await new Response(body, { headers: { 'content-type': type } }).formData();
  const fields: [string, unknown][] = [];
  for (const [name, value] of form) {
    if (typeof value === 'string') fields.push([name, value]);
    else fields.push([name, [value.name, value.type, Buffer.from(await value.arrayBuffer())]]);
  }
  return Object.fromEntries(fields);
}

export interface TestProxy {
  url: string;
  /** What it was asked to connect to, with the credential it was given. */
  tunnels: readonly { target: string; authorization: string | undefined }[];
}

/**
 * A CONNECT proxy behind which every name leads where `ports` says: that is how tests on loopback
 * reach "public" hosts. What it does not know gets a 502.
 */
export async function startProxy(ports: Readonly<Record<string, number>>): Promise<TestProxy> {
  const tunnels: { target: string; authorization: string | undefined }[] = [];
  const server = createServer((_request, response) => response.writeHead(405).end());
  server.on('connect', (request: IncomingMessage, client: Socket) => {
    const target = request.url ?? '';
    tunnels.push({ target, authorization: request.headers['proxy-authorization'] });
    client.on('error', () => {});
    const port = ports[target];
    if (port === undefined) {
      client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
      return;
    }
    const upstream = connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      upstream.pipe(client).pipe(upstream);
    });
    upstream.on('error', () => client.destroy());
    upstream.on('close', () => client.destroy());
    client.on('close', () => upstream.destroy());
  });
  const { port } = await listen(server);
  return { url: `http://127.0.0.1:${port}`, tunnels };
}

/** A port that nobody listens on. */
export async function closedPort(): Promise<number> {
  const server = createTcpServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function listen(server: Server, host = '127.0.0.1') {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections++;
    sockets.add(socket);
    // Tests cut connections; that is nobody's error.
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, host);
  await once(server, 'listening');
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  return {
    // A listening TCP server's address is never a string.
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    open: () => sockets.size,
  };
}
