import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import {
  fingerprintOf,
  type ImageRequest,
  type ReadRequest,
} from '../../../server/images/image-request.ts';
import { ServiceError } from '../../../server/lib/service-error.ts';

/** What a reader made of a request: the image request, or the error it threw. */
export type Reading =
  | { kind: 'request'; request: ImageRequest; fingerprint: string }
  | { kind: 'refused'; code: string; param: string | null; message: string };

/**
 * A real HTTP server that hands every message to a reader, fetches what it gives by links, notes what came of it, and
 * answers with the status our API would have. Anything but a ServiceError is a bug and shows as status 500.
 */
export async function startReadingServer(
  read: (message: IncomingMessage) => Promise<ReadRequest>,
): Promise<ReadingServer> {
  const readings: Reading[] = [];
  const watchers: (() => void)[] = [];
  const server = createServer((message, response) => {
    read(message)
      .then(({ request, fetchPictures }) => (fetchPictures ? fetchPictures() : request))
      .then(
        (request) => note({ kind: 'request', request, fingerprint: fingerprintOf(request) }),
        (error: unknown) => {
          if (!(error instanceof ServiceError)) throw error;
          const { code, param } = error;
          note({ kind: 'refused', code, param, message: error.message });
          response.statusCode = 400;
        },
      )
      .then(
        () => response.end(),
        (error: unknown) => response.writeHead(500).end(String(error)),
      );
  });
  // On a busy machine it would close a connection in the moment in which the next test sends on it.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A listening TCP server's address is never a string.
  const { port } = server.address() as AddressInfo;

  function note(reading: Reading): void {
    readings.push(reading);
    for (const tell of watchers.splice(0)) tell();
  }

  return {
    port,
    url: `http://127.0.0.1:${port}/`,
    async send(init) {
      const sent = { method: 'POST', duplex: 'half' as const, ...init };
      const response = await fetch(`http://127.0.0.1:${port}/`, sent);
      const text = await response.text();
      const reading = readings.pop();
      if (!reading) throw new Error(`status ${response.status}: ${text}`);
      return { ...reading, status: response.status };
    },
    async nextReading() {
      while (readings.length === 0) await new Promise<void>((tell) => watchers.push(tell));
      const [reading] = readings.splice(0, 1);
      if (!reading) throw new Error('no reading');
      return reading;
    },
    connect: () => connect(port, '127.0.0.1'),
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

export interface ReadingServer {
  port: number;
  url: string;
  /** Sends a request and gives back what the reader made of it. */
  send(init: RequestInit): Promise<Reading & { status: number }>;
  /** For requests whose answer nobody reads. */
  nextReading(): Promise<Reading>;
  /** A bare connection, for what no HTTP client would send. */
  connect(): ReturnType<typeof connect>;
  close(): Promise<void>;
}
