/** A connection to a service, and the one request at a time that it carries. */
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { assert } from '../assert.ts';
import { connectTimeoutMs } from './guarded-address.ts';
import { Http1Exchange } from './http1-exchange.ts';
import type { Http1Head } from './http1-head.ts';
import type { Http1Request } from './http1-request-writer.ts';
import type { OutgoingAnswer } from './outgoing-answer.ts';
import { notConnected } from './outgoing-error.ts';
import { sharedLookup } from './shared-lookup.ts';

/** Between probes of a connection that is silent, so that nothing on the way forgets it. */
const probeMs = 60_000;

/** Every connection is read into this: Node reads and hands over in one go. */
const received = Buffer.allocUnsafeSlow(256 * 1024);

export interface ConnectionOptions {
  url: URL;
  /** Of whoever waits for the connection. */
  signal: AbortSignal;
  firstByteMs: number;
  idleMs: number;
  /** The last TLS session of each origin, to resume. */
  sessions: Map<string, Buffer>;
  /** Called when the connection is closed. */
  onGone: (connection: Http1Connection) => void;
}

export class Http1Connection {
  readonly #options: ConnectionOptions;
  readonly #socket: Socket;
  #exchange: Http1Exchange | null = null;
  #isOpen = false;
  /** Why it closed, where there is a reason. */
  #error: unknown = null;

  /** Rejects with an OutgoingError or the signal's reason. */
  static async open(options: ConnectionOptions): Promise<Http1Connection> {
    const connection = new Http1Connection(options);
    await connection.#untilOpen();
    return connection;
  }

  private constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#socket = openSocket(options, (bytes) => this.#receive(bytes));
  }

  /** Whether neither side has closed it. */
  get isUsable(): boolean {
    return !this.#socket.destroyed && this.#socket.readable && this.#socket.writable;
  }

  /**
   * @param onEnd called once, with the head of the answer when the connection may carry another
   * request; otherwise it is to be destroyed
   */
  run(
    request: Http1Request,
    signal: AbortSignal,
    onEnd: (head: Http1Head | null) => void,
  ): Promise<OutgoingAnswer> {
    assert(!this.#exchange, 'a connection carries one request at a time');
    const { firstByteMs, idleMs } = this.#options;
    this.#socket.ref();
    this.#exchange = new Http1Exchange({
      socket: this.#socket,
      request,
      signal,
      firstByteMs,
      idleMs,
      onEnd: (head) => {
        this.#exchange = null;
        onEnd(head);
      },
    });
    return this.#exchange.start();
  }

  /** Waits for its next request, but keeps no process alive for it. */
  rest(idleMs: number): void {
    // The end of an answer may have come with what was enough for its reader for now.
    this.#socket.resume();
    this.#socket.setTimeout(idleMs);
    this.#socket.unref();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  async #untilOpen(): Promise<void> {
    const { signal, url } = this.#options;
    const socket = this.#socket;
    const opened = Promise.withResolvers<void>();
    const leave = () => {
      opened.reject(signal.reason);
      socket.destroy();
    };
    signal.addEventListener('abort', leave, { once: true });
    socket.setTimeout(connectTimeoutMs);
    socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', opened.resolve);
    socket.on('error', (error) => {
      this.#error = error;
    });
    socket.on('timeout', () => this.#timeOut());
    socket.on('end', () => this.#exchange?.end());
    socket.once('close', () => {
      opened.reject(notConnected('no connection', this.#error));
      this.#exchange?.fail(this.#error);
      this.#options.onGone(this);
    });
    try {
      await opened.promise;
      this.#isOpen = true;
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  #receive(bytes: Buffer): void {
    if (this.#exchange) this.#exchange.receive(bytes);
    // Nobody asked, so it would be taken for the answer to the next request.
    else this.destroy();
  }

  #timeOut(): void {
    if (this.#exchange) {
      this.#exchange.timeOut();
      return;
    }
    if (!this.#isOpen) this.#error = new SlowConnectError();
    this.destroy();
  }
}

class SlowConnectError extends Error {
  readonly code = 'ETIMEDOUT';
}

function openSocket(
  { url, sessions }: ConnectionOptions,
  receive: (bytes: Buffer) => void,
): Socket {
  // URLs write an IPv6 address in brackets.
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const onread = {
    buffer: received,
    callback: (bytes: number) => {
      receive(received.subarray(0, bytes));
      return true;
    },
  };
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  const common = { host, port, onread, lookup: sharedLookup, noDelay: true, keepAlive: true };
  if (url.protocol !== 'https:') {
    return connectTcp({ ...common, keepAliveInitialDelay: probeMs });
  }
  const session = sessions.get(url.origin);
  const socket = connectTls({
    ...common,
    ALPNProtocols: ['http/1.1'],
    ...(isIP(host) === 0 && { servername: host }),
    ...(session && { session }),
  });
  socket.setKeepAlive(true, probeMs);
  socket.on('session', (last: Buffer) => sessions.set(url.origin, last));
  return socket;
}
