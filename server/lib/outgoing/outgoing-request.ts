/** What goes out to a service, whatever sends it. */
import type { FormData } from 'undici';
import type { BodyPiece } from '../bytes/body-pieces.ts';
import { validateHeaderValue } from '../node-http.ts';
import { OutgoingError } from './outgoing-error.ts';

export interface Exchange {
  method: string;
  url: URL;
  headers: Readonly<Record<string, string>>;
  body: string | Buffer | readonly BodyPiece[] | AnyForm | null;
}

/** For whoever makes one, the two are the same. */
export type AnyForm = FormData | globalThis.FormData;

/** Of whichever class: to ask for the classes would load them. */
export function isForm(body: unknown): body is AnyForm {
  return Object.prototype.toString.call(body) === '[object FormData]';
}

/** A credential with a line break, say: nobody is to think that the service has heard of it. */
export function refuseUnsendable(headers: Exchange['headers']): void {
  for (const [name, value] of Object.entries(headers)) {
    try {
      validateHeaderValue(name, value);
    } catch {
      throw new OutgoingError('unsendable', 'a header has characters that cannot be sent');
    }
  }
}

/** By lower-case name, with what every request of ours says. */
export function headersOf(given: Exchange['headers']): Record<string, string> {
  const headers: Record<string, string> = { 'user-agent': 'tintype' };
  for (const [name, value] of Object.entries(given)) headers[name.toLowerCase()] = value;
  headers['accept-encoding'] = 'identity';
  return headers;
}

/** For what does not heed the signal: undici while it opens a connection, DNS, a body being read. */
export async function orAborted<T>(asked: Promise<T>, signal: AbortSignal): Promise<T> {
  const over = Promise.withResolvers<never>();
  const leave = () => over.reject(signal.reason);
  if (signal.aborted) leave();
  signal.addEventListener('abort', leave, { once: true });
  try {
    return await Promise.race([asked, over.promise]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}
