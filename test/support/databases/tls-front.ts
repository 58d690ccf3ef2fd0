/** PostgreSQL as it is met where it encrypts: the same server behind something that does that for it. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { TLSSocket } from 'node:tls';
import { localhostCertificate } from '../services/localhost-certificate.ts';

/** SSLRequest: its length and its number, and nothing else. */
const requestBytes = 8;

/** The same database, at `localhost`, and how it is stopped. */
export async function startTlsFront(databaseUrl: string): Promise<{ url: URL; stop: () => void }> {
  const url = new URL(databaseUrl);
  const target = Number(url.port);
  const server = createServer((client) => {
    client.on('error', () => client.destroy());
    client.once('readable', () => {
      client.read(requestBytes);
      client.write('S');
      const encrypted = new TLSSocket(client, { isServer: true, ...localhostCertificate });
      const upstream = connect(target, '127.0.0.1');
      encrypted.on('error', () => upstream.destroy());
      upstream.on('error', () => encrypted.destroy());
      encrypted.pipe(upstream).pipe(encrypted);
    });
  });
  // Also at 127.0.0.2, which the certificate does not name.
  server.listen(0, '0.0.0.0');
  await once(server, 'listening');
  url.hostname = 'localhost';
  // A listening TCP server's address is never a string.
  url.port = String((server.address() as AddressInfo).port);
  return { url, stop: () => void server.close() };
}
