/** What a pooler between the service and PostgreSQL makes of how a connection begins. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { must } from '../../../server/lib/assert.ts';
import { MessageReader } from './postgres-messages.ts';

/** Like PgBouncer, which refuses a parameter that it does not know unless it is told to ignore it. */
export type UnknownParameter = 'refused' | 'ignored';

/** What PgBouncer knows, of what the service sends. */
const known = ['user', 'database', 'application_name', 'client_encoding'];

/** The same database through it, and how it is stopped. */
export async function startPooler(
  databaseUrl: string,
  unknown: UnknownParameter,
): Promise<{ url: string; stop: () => void }> {
  const url = new URL(databaseUrl);
  const target = Number(url.port);
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      socket.on('error', () => socket.destroy());
      socket.on('close', () => other.destroy());
    }
    const messages = new MessageReader({ hasStartup: true });
    client.on('data', (bytes) => {
      for (const { type, bytes: message, content } of messages.read(bytes)) {
        if (type !== '') upstream.write(message);
        else if (unknown === 'ignored') upstream.write(startupOf(content));
        else client.end(refusalOf(content));
      }
    });
    upstream.pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A listening TCP server's address is never a string.
  url.port = String((server.address() as AddressInfo).port);
  return { url: url.href, stop: () => void server.close() };
}

const versionBytes = 4;

function parametersOf(content: Buffer): [name: string, value: string][] {
  const texts = content.subarray(versionBytes).toString('utf8').split('\0');
  return texts.flatMap((name, index) =>
    index % 2 === 0 && name !== '' ? [[name, must(texts[index + 1], 'its value')]] : [],
  );
}

function startupOf(content: Buffer): Buffer {
  const kept = parametersOf(content).filter(([name]) => known.includes(name));
  const text = `${kept.map((pair) => `${pair.join('\0')}\0`).join('')}\0`;
  return withLength(Buffer.concat([content.subarray(0, versionBytes), Buffer.from(text)]));
}

/** As PgBouncer 1.18 wrote it. */
function refusalOf(content: Buffer): Buffer {
  const [name] = must(
    parametersOf(content).find(([each]) => !known.includes(each)),
    'a parameter that it does not know',
  );
  const text = `SFATAL\0C08P01\0Munsupported startup parameter: ${name}\0\0`;
  return Buffer.concat([Buffer.from('E'), withLength(Buffer.from(text))]);
}

function withLength(content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(length.length + content.length);
  return Buffer.concat([length, content]);
}
