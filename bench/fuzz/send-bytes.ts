import { once } from 'node:events';
import { connect } from 'node:net';

export interface RawAnswer {
  status: number;
  /** Head and body as they came. */
  text: string;
}

export interface Heard {
  answers: readonly RawAnswer[];
  /** What came behind the last whole answer. */
  rest: string;
  /** Whether the service ended the connection in time. */
  isClosed: boolean;
}

/** A client that says nothing any more has nothing to wait for either. */
const closeWaitMs = 30_000;

/** Sends the bytes, then ends its side once it was answered or nothing moves; hears to the end. */
export async function sendBytes(
  baseUrl: string,
  bytes: Buffer,
  { quietMs }: { quietMs: number },
): Promise<Heard> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
  const pieces: Buffer[] = [];
  // A service may cut off whoever does not speak HTTP.
  socket.on('error', () => {});
  socket.on('data', (piece: Buffer) => pieces.push(piece));
  const closed = once(socket, 'close').then(() => true);
  const heard = new Promise<void>((resolve) => {
    socket.once('data', () => resolve()).once('close', () => resolve());
    setTimeout(resolve, quietMs);
  });
  socket.once('end', () => socket.end());
  socket.write(bytes);
  await heard;
  socket.end();
  const late = setTimeout(() => socket.destroy(), closeWaitMs);
  let isClosed = true;
  late.unref();
  setTimeout(() => {
    isClosed = socket.destroyed;
  }, closeWaitMs - 100).unref();
  await closed;
  clearTimeout(late);
  return { ...readAnswers(Buffer.concat(pieces).toString('latin1')), isClosed };
}

function readAnswers(text: string): Omit<Heard, 'isClosed'> {
  const answers: RawAnswer[] = [];
  let rest = text;
  for (;;) {
    const answer = firstAnswer(rest);
    if (!answer) return { answers, rest };
    rest = rest.slice(answer.text.length);
    if (answer.status >= 200) answers.push(answer);
  }
}

function firstAnswer(text: string): RawAnswer | null {
  const end = text.indexOf('\r\n\r\n') + 4;
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1] ?? Number.NaN);
  if (end < 4 || Number.isNaN(status)) return null;
  const head = text.slice(0, end);
  if (status < 200 || status === 204 || status === 304) return { status, text: head };
  const length = /^content-length: (\d+)/im.exec(head)?.[1];
  const bodyEnd = length === undefined ? text.length : end + Number(length);
  return bodyEnd > text.length ? null : { status, text: text.slice(0, bodyEnd) };
}
