/** A fresh installation for the instances, made by the commands of docs/operating.md. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Machine } from './network.ts';

const program = fileURLToPath(new URL('../../../bin/tintype.js', import.meta.url));

/** Longer than nginx's 60 s, and than what most proxies let pass. */
const slowMs = 150_000;
const quickMs = 500;

export interface Installation {
  key: string;
  tintype(...words: string[]): string;
}

export function setUp(databaseUrl: string, scratch: string): Installation {
  const env = {
    PATH: process.env['PATH'],
    DATABASE_URL: databaseUrl,
    TINTYPE_DATA_DIR: scratch,
    TINTYPE_SECRET_KEY: secretKey,
  };
  const tintype = (...words: string[]) =>
    execFileSync(process.execPath, [program, ...words], { env, encoding: 'utf8' });
  tintype('migrate');
  for (const [name, delayMs] of [
    ['quick', quickMs],
    ['slow', slowMs],
  ] as const) {
    tintype('upstreams', 'add', name, '--kind', 'sandbox', '--set', `delayMs=${delayMs}`);
  }
  tintype('models', 'add', 'slow');
  for (const [model, upstream] of [
    ['gen-image-2', 'quick'],
    ['slow', 'slow'],
  ] as const) {
    tintype('upstreams', 'select', model, upstream, 'sandbox-classic');
    tintype('models', 'price', model, '0.01');
    tintype('models', 'enable', model);
  }
  tintype('users', 'add', 'alice@example.com', '--top-up', '1000', '--slots', '500');
  const [key] = /sk-tin-\w+/.exec(tintype('keys', 'create', 'alice@example.com')) ?? [];
  if (!key) throw new Error('no key was shown');
  return { key, tintype };
}

export interface Instance {
  machine: Machine;
  address: string;
  kill(signal: NodeJS.Signals): Promise<void>;
}

const port = 8080;
const secretKey = '07'.repeat(32);

/** One on a machine of its own. */
export async function startInstance(
  machine: Machine,
  { databaseUrl, scratch }: { databaseUrl: string; scratch: string },
): Promise<Instance> {
  const log = openSync(join(scratch, `${machine.name}.log`), 'a');
  const words = ['netns', 'exec', machine.name, process.execPath, program, 'serve'];
  const child = spawn('ip', words, {
    stdio: ['ignore', log, log],
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: databaseUrl,
      TINTYPE_HOST: '0.0.0.0',
      TINTYPE_PORT: String(port),
      TINTYPE_DATA_DIR: scratch,
      TINTYPE_SECRET_KEY: secretKey,
      TINTYPE_TRUSTED_PROXIES: '1',
      // Short, so that what takes half a minute in production takes seconds.
      TINTYPE_LEASE: '6s',
      TINTYPE_LEASE_RENEW: '1s',
      // Longer than the `health_interval` of the Caddyfile.
      TINTYPE_SHUTDOWN_DELAY: '3s',
    },
  });
  await untilReady(`http://${machine.address}:${port}`, child);
  return {
    machine,
    address: `${machine.address}:${port}`,
    kill: async (signal) => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill(signal);
      await exited;
    },
  };
}

async function untilReady(origin: string, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`an instance ended with ${child.exitCode}`);
    const ready = await fetch(`${origin}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (ready) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
