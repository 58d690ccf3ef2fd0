/** How each gateway is started in front of the upstream. */
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../test/support/processes/free-port.ts';
import type { GatewayName } from './cases.ts';
import { type Child, startChild, untilListening } from './children.ts';
import type { Installation } from './installation.ts';
import { startProxy } from './nginx.ts';

export interface RunningGateway {
  name: GatewayName;
  pid: number;
  port: number;
  keys: readonly string[];
  /** From the start of its process until it listened. */
  startMs: number;
  stop(): Promise<void>;
}

export interface Surroundings {
  /** For configuration and logs. */
  folder: string;
  upstreamPort: number;
  /** Of Tintype, for a gateway that is. */
  installation: Installation;
}

export const gatewayTitles: Readonly<Record<GatewayName, string>> = {
  nginx: 'nginx',
  naive: 'naive proxy',
  portkey: 'Portkey',
  sqlite: 'Tintype, SQLite',
  postgres: 'Tintype, PostgreSQL',
};

const listenLocally = new URL('./listen-locally.ts', import.meta.url).href;
const naive = fileURLToPath(new URL('./naive-proxy.ts', import.meta.url));
const tintype = fileURLToPath(new URL('../../bin/tintype.js', import.meta.url));

export async function startGateway(
  name: GatewayName,
  surroundings: Surroundings,
): Promise<RunningGateway> {
  const port = await freePort();
  const startedAt = performance.now();
  const child = launch(name, port, surroundings);
  try {
    await untilListening(port, child, name);
  } catch (error) {
    await child.stop();
    throw error;
  }
  return {
    name,
    pid: child.pid,
    port,
    keys: surroundings.installation.keys,
    startMs: performance.now() - startedAt,
    stop: () => child.stop(),
  };
}

function launch(name: GatewayName, port: number, surroundings: Surroundings): Child {
  const { folder, installation, upstreamPort } = surroundings;
  if (name === 'nginx') {
    const place = join(folder, 'proxy');
    mkdirSync(place, { recursive: true });
    return startProxy({ folder: place, port }, upstreamPort);
  }
  const logFile = join(folder, `${name}.log`);
  const node = { command: process.execPath, place: 'gateway', logFile } as const;
  if (name === 'naive') {
    const args = [naive, String(port), `http://127.0.0.1:${upstreamPort}`];
    return startChild({ ...node, args });
  }
  if (name === 'portkey') {
    const args = ['--import', listenLocally, portkeyProgram(), `--port=${port}`, '--headless'];
    return startChild({ ...node, args });
  }
  return startChild({
    ...node,
    args: [tintype, 'serve'],
    env: { ...installation.environment, TINTYPE_PORT: String(port) },
  });
}

function portkeyProgram(): string {
  const require = createRequire(import.meta.url);
  const manifest = require.resolve('@portkey-ai/gateway/package.json');
  return join(dirname(manifest), 'build', 'start-server.js');
}
