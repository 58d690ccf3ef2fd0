/** A proxy in front of the service that keeps what goes through it, and cuts connections. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

export interface ProxyOptions {
  /** Cuts a connection on which nothing came from the service for so long, by `now`. */
  idleMs?: number;
  now?: () => number;
}

export class CuttingProxy {
  /** While it is closed, nobody gets through. */
  isOpen = true;
  /** How often an answer of the service went through, by pieces. */
  pieces = 0;
  readonly #server: Server;
  readonly #options: ProxyOptions;
  readonly #pairs = new Set<{ client: Socket; service: Socket; lastMs: number }>();
  readonly #sent: Buffer[] = [];
  #waiting: { count: number; tell: () => void }[] = [];

  static async start(baseUrl: string, options: ProxyOptions = {}): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(Number(new URL(baseUrl).port), options);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  private constructor(port: number, options: ProxyOptions) {
    this.#options = options;
    this.#server = createServer((client) => this.#accept(client, port));
  }

  get url(): string {
    // A listening TCP server's address is never a string.
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  cutAll(): void {
    for (const { client, service } of this.#pairs) {
      client.resetAndDestroy();
      service.destroy();
    }
  }

  /** What an idle limit does when time has passed. */
  cutIdle(): number {
    const { idleMs = Number.POSITIVE_INFINITY, now = Date.now } = this.#options;
    const idle = [...this.#pairs].filter(({ lastMs }) => now() - lastMs > idleMs);
    for (const { client } of idle) client.resetAndDestroy();
    return idle.length;
  }

  /** Resolves when another piece of an answer has gone through after `count` of them. */
  async untilMoreThan(count: number): Promise<void> {
    if (this.pieces > count) return;
    await new Promise<void>((tell) => this.#waiting.push({ count, tell }));
  }

  /** The last request to `path` as the service got it. */
  async formOf(path: string): Promise<readonly [string, FormDataEntryValue][]> {
    const all = Buffer.concat(this.#sent);
    const start = all.lastIndexOf(`POST ${path} `);
    const head = all.indexOf('\r\n\r\n', start);
    const headers = all.subarray(start, head).toString('latin1');
    const type = /content-type: (.*)/i.exec(headers)?.[1] ?? '';
    const length = Number(/content-length: (\d+)/i.exec(headers)?.[1]);
    const body = all.subarray(head + 4, head + 4 + length);
    const form = await new Response(body, { headers: { 'content-type': type } }).formData();
    return [...form];
  }

  async stop(): Promise<void> {
    this.cutAll();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #accept(client: Socket, port: number): void {
    if (!this.isOpen) {
      client.resetAndDestroy();
      return;
    }
    const { now = Date.now } = this.#options;
    const service = connect(port, '127.0.0.1');
    const pair = { client, service, lastMs: now() };
    this.#pairs.add(pair);
    client.on('data', (bytes) => {
      this.#sent.push(bytes);
      pair.lastMs = now();
      service.write(bytes);
    });
    service.on('data', (bytes) => {
      pair.lastMs = now();
      client.write(bytes);
      this.#count();
    });
    for (const [socket, other] of [
      [client, service],
      [service, client],
    ] as const) {
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        this.#pairs.delete(pair);
        other.destroy();
      });
    }
  }

  #count(): void {
    this.pieces++;
    const due = this.#waiting.filter(({ count }) => this.pieces > count);
    this.#waiting = this.#waiting.filter((each) => !due.includes(each));
    for (const { tell } of due) tell();
  }
}
