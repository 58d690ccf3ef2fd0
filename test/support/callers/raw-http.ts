/** Requests that no HTTP client would send, byte by byte. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  status: number;
  headers: Headers;
  text: string;
  body: unknown;
}

export class RawConnection {
  readonly #socket: Socket;
  #received = '';

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setEncoding('utf8');
    socket.on('data', (piece: string) => {
      this.#received += piece;
    });
    // A server may cut off who does not speak HTTP; what it said before is what counts.
    socket.on('error', () => {});
  }

  static async open(baseUrl: string): Promise<RawConnection> {
    const { hostname, port } = new URL(baseUrl);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    return new RawConnection(socket);
  }

  send(bytes: string | Buffer): void {
    this.#socket.write(bytes);
  }

  /** Waits for one whole answer, which must say its length, and takes it. */
  async answer(): Promise<RawAnswer> {
    for (;;) {
      const answer = this.#take();
      if (answer) return answer;
      if (this.#socket.destroyed || this.#socket.readableEnded) {
        throw new Error(`closed after: ${this.#received.slice(0, 200)}`);
      }
      await Promise.race([once(this.#socket, 'data'), once(this.#socket, 'close')]);
    }
  }

  /** What came and was not taken. */
  get received(): string {
    return this.#received;
  }

  /** Resolves when the server has closed the connection. */
  async closed(): Promise<void> {
    if (!this.#socket.closed) await once(this.#socket, 'close');
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(): RawAnswer | null {
    const end = this.#received.indexOf('\r\n\r\n');
    if (end < 0) return null;
    const [statusLine = '', ...lines] = this.#received.slice(0, end).split('\r\n');
    const headers = new Headers();
    for (const line of lines) {
      const colon = line.indexOf(':');
      headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
    }
    const length = Number(headers.get('content-length') ?? 0);
    // Errors are plain ASCII, so characters are bytes.
    const text = this.#received.slice(end + 4, end + 4 + length);
    if (text.length < length) return null;
    this.#received = this.#received.slice(end + 4 + length);
    const status = Number(statusLine.split(' ')[1]);
    return { status, headers, text, body: text === '' ? null : JSON.parse(text) };
  }
}

/** Sends something on a connection of its own and reads one answer. */
export async function exchange(baseUrl: string, bytes: string | Buffer): Promise<RawAnswer> {
  const connection = await RawConnection.open(baseUrl);
  try {
    connection.send(bytes);
    return await connection.answer();
  } finally {
    connection.close();
  }
}
