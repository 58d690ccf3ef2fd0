/** A receiver of webhooks on loopback. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface ReceivedNotice {
  id: string;
  signature: string;
  body: string;
}

export interface NoticeReceiver {
  url: string;
  received: readonly ReceivedNotice[];
  /** What it answers from now on: a status, or nothing at all. */
  answerWith(status: number | 'silence'): void;
  /** Resolves once it was asked `count` times. */
  untilReceived(count: number): Promise<void>;
}

/** It lasts as long as the test. */
export async function startNoticeReceiver(): Promise<NoticeReceiver> {
  const received: ReceivedNotice[] = [];
  let watchers: { count: number; tell: () => void }[] = [];
  let status: number | 'silence' = 204;
  const server = createServer((request, response) => {
    readBody(request).then(
      (body) => {
        const { 'tintype-notice-id': id, 'tintype-signature': signature } = request.headers;
        received.push({ id: String(id), signature: String(signature), body });
        answer(response, status);
        tellWatchers();
      },
      // Whoever sent it is gone.
      () => response.destroy(),
    );
  });

  function tellWatchers(): void {
    const told = watchers.filter(({ count }) => count <= received.length);
    watchers = watchers.filter(({ count }) => count > received.length);
    for (const { tell } of told) tell();
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  });
  // A listening TCP server's address is never a string.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/notices`,
    received,
    answerWith: (next) => {
      status = next;
    },
    untilReceived: async (count) => {
      if (received.length >= count) return;
      await new Promise<void>((tell) => watchers.push({ count, tell }));
    },
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  // Without an encoding, a request comes in buffers.
  for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

function answer(response: ServerResponse, status: number | 'silence'): void {
  if (status !== 'silence') response.writeHead(status).end('an answer that says hunter2');
}
