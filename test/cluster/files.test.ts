/** Workers that have as many files open as they may, of which each connection takes one. */
import { rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { patience } from '../support/patience.ts';
import { type ServiceProcess, startService } from '../support/processes/service-process.ts';
import { makeScratchFolder } from '../support/scratch.ts';

/** Little more than a worker needs for itself. */
const filesLimited = 'ulimit -n 100; exec "$0" "$@"';

it.skipIf(process.platform === 'win32')(
  'close the connections that they have no room for, and take others when they have',
  { timeout: 120_000 },
  async () => {
    const service = await startCramped();
    const held: Socket[] = [];
    for (let next = await visit(service); next; next = await visit(service)) held.push(next);
    expect(held.length).toBeGreaterThan(10);
    for (const socket of held) socket.destroy();
    // In turn, so that each of them has some of these.
    const visits = async () => {
      const sockets = [];
      for (let i = 0; i < 4; i++) sockets.push(await visit(service));
      return sockets.filter((socket) => socket?.destroy()).length;
    };
    await expect.poll(visits, patience).toBe(4);
    expect(service.log.map(({ msg }) => msg)).not.toContain('a worker ended');
  },
);

function startCramped(): Promise<ServiceProcess> {
  const dataDir = makeScratchFolder('files');
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const launcher = ['sh', '-c', filesLimited];
  return startService({ url: null, dataDir }, { TINTYPE_WORKERS: '2' }, launcher);
}

/** A connection that got an answer, and stays; null where it was closed without one. */
function visit({ baseUrl }: ServiceProcess): Promise<Socket | null> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
  socket.write('GET /healthz HTTP/1.1\r\nhost: tintype\r\n\r\n');
  return new Promise((resolve) => {
    socket.once('data', () => resolve(socket));
    socket.once('close', () => resolve(null));
  });
}
