/** Uploads over bare connections, so that a test says when each byte goes out. */
import { connect, type Socket } from 'node:net';
import { file, formOf, wanted } from './form-body.ts';
import { smallPrompt } from './ways-to-ask.ts';

export interface Upload {
  /** Headers and body of an edit as a form. */
  head: string;
  body: Buffer;
}

/** An edit of a form with one picture, for a service at `baseUrl`. */
export function uploadOf(picture: Buffer, apiKey: string, prompt = smallPrompt): Upload {
  const { headers, body } = formOf([
    ...wanted({ model: 'gen-image-2.5-flare', prompt }),
    file('image', picture),
  ]);
  const head = [
    'POST /v1/images/edits HTTP/1.1',
    'host: localhost',
    `authorization: Bearer ${apiKey}`,
    `content-type: ${headers['content-type']}`,
    `content-length: ${body.length}`,
    '',
    '',
  ].join('\r\n');
  return { head, body: Buffer.from(body) };
}

/** A connection on which errors do not matter: whoever is cut off learns it by its end. */
export function openSocket(baseUrl: string): Socket {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  return socket;
}

/** All that comes until the other side closes the connection, headers included. */
export async function readToEnd(socket: Socket): Promise<string> {
  let received = '';
  socket.on('data', (piece: Buffer) => {
    received += piece.toString('latin1');
  });
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
  return received;
}
