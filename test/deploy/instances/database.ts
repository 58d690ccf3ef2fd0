/** PostgreSQL for the instances, which reach it over the bridge. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(
  new URL('../../support/databases/postgres-process.ts', import.meta.url),
);

export interface SharedDatabase {
  /** From this machine. */
  url: string;
  /** From the instances. */
  sharedUrl: string;
  close(): Promise<void>;
}

/** @param address on which the instances reach it */
export async function openSharedDatabase(address: string): Promise<SharedDatabase> {
  const server = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
  // Its one line says where it is, or why it is not.
  const [line] = (await once(createInterface({ input: server.stdout }), 'line')) as [string];
  const told = JSON.parse(line) as { url?: string; reason?: string };
  if (!told.url) throw new Error(`PostgreSQL did not start: ${told.reason}`);
  const inner = new URL(told.url);
  const forwarder = createServer((from) => {
    const to = connect(Number(inner.port), inner.hostname);
    from.pipe(to).pipe(from);
    for (const socket of [from, to])
      socket.on('error', () => [from, to].map((each) => each.destroy()));
  }).listen(0, address);
  await once(forwarder, 'listening');
  const shared = new URL(told.url);
  const listening = forwarder.address();
  if (listening === null || typeof listening === 'string') throw new Error('no port was given');
  shared.hostname = address;
  shared.port = String(listening.port);
  return {
    url: told.url,
    sharedUrl: shared.href,
    close: async () => {
      server.stdin.end();
      forwarder.close();
      await once(server, 'exit');
    },
  };
}
