/** One request to the service's own origin by our own client, and its answer. */
import { type BodyPiece, lengthOfBody } from '../bytes/body-pieces.ts';
import { decodedBody } from './guarded-http-decode.ts';
import type { Http1Client } from './http1-client.ts';
import type { OutgoingAnswer } from './outgoing-answer.ts';
import { type Exchange, headersOf, isForm, refuseUnsendable } from './outgoing-request.ts';

/** What rules the connection, and what the client says itself. */
const connectionHeaders = [
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** Whether it is an ordinary request. undici sends the others, forms among them. */
export function isOrdinary({ headers, body, method }: Exchange): boolean {
  if (isForm(body) || !/^[A-Z]+$/.test(method) || method === 'CONNECT') return false;
  return Object.keys(headers).every(
    (name) =>
      /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name) &&
      !connectionHeaders.includes(name.toLowerCase()),
  );
}

/** Rejects with an OutgoingError or the signal's reason. */
export async function askDirectly(
  client: Http1Client,
  wanted: Exchange,
  signal: AbortSignal,
): Promise<OutgoingAnswer> {
  refuseUnsendable(wanted.headers);
  const { method, url } = wanted;
  const body = piecesOf(wanted.body);
  const head = headOf(wanted, body);
  return decoded(await client.send(url, { method, head, body: body ?? [] }, signal), signal);
}

function piecesOf(body: Exchange['body']): readonly BodyPiece[] | null {
  if (body === null || isForm(body)) return null;
  if (typeof body === 'string') return [Buffer.from(body)];
  return Buffer.isBuffer(body) ? [body] : body;
}

function headOf({ method, url, headers }: Exchange, body: readonly BodyPiece[] | null): string {
  const length = body && lengthOfBody(body);
  const lines = [
    `${method} ${url.pathname}${url.search} HTTP/1.1`,
    `host: ${url.host}`,
    'connection: keep-alive',
    ...Object.entries(headersOf(headers)).map(([name, value]) => `${name}: ${value}`),
  ];
  if (length !== null || !['GET', 'HEAD'].includes(method)) {
    lines.push(`content-length: ${length ?? 0}`);
  }
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** Compressed it is against our wish, and goes the way of all such answers. */
function decoded(answer: OutgoingAnswer, signal: AbortSignal): OutgoingAnswer {
  const encoding = answer.headers['content-encoding'] ?? '';
  if (/^\s*(?:identity)?\s*$/i.test(encoding)) return answer;
  const discard = () => answer.discard();
  return { ...answer, body: decodedBody({ pieces: answer.body, encoding, signal, discard }) };
}
