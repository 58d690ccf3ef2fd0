/**
 * The examples of `deploy/`, with the addresses of this run in the place of theirs, in the real
 * programs.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Proxy {
  origin: string;
  close(): Promise<void>;
}

interface ProxyOptions {
  /** Where the instances are: `10.0.0.11:8080`. */
  instances: readonly string[];
  port: number;
  /** An empty folder. */
  folder: string;
}

const startMsMax = 30_000;

/** One line for each request: its status, the instances that had it, and its trace ID. */
const logFormat = "log_format told '$status $upstream_addr $sent_http_x_request_id $request_time';";

export interface Told {
  status: number;
  /** The last that had it decided. */
  instances: readonly string[];
}

export async function startNginx({ instances, port, folder }: ProxyOptions): Promise<Proxy> {
  mkdirSync(folder, { recursive: true });
  const servers = instances.map((address) => `server ${address} max_fails=1 fail_timeout=5s;`);
  const example = readExample('nginx/tintype.conf')
    .replace(/server 127\.0\.0\.1:8080 [^;]*;/, servers.join('\n    '))
    .replace('listen 443 ssl;', `listen 127.0.0.1:${port};`)
    .replace(/^\s*ssl_certificate.*$/gm, '');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const file = join(folder, 'nginx.conf');
  writeFileSync(
    file,
    [
      'daemon off; worker_processes 2; pid nginx.pid; error_log error.log;',
      'events { worker_connections 2048; }',
      `http { ${logFormat} access_log access.log told;`,
      ...temporary.map((name) => `${name}_temp_path ${name};`),
      example,
      '}',
    ].join('\n'),
  );
  const words = ['-e', join(folder, 'error.log'), '-p', folder, '-c', file];
  return startProxy(spawn(find('nginx'), words, { stdio: 'inherit' }), port);
}

/** @param folder of an nginx */
export function readLog(folder: string): readonly Told[] {
  const lines = readFileSync(join(folder, 'access.log'), 'utf8').trim().split('\n');
  return lines.map((line) => {
    const [, status, told] = /^(\d+) (.*?) \S+ [\d.]+$/.exec(line) ?? [];
    return { status: Number(status), instances: (told ?? '').split(', ') };
  });
}

export async function startCaddy({ instances, port, folder }: ProxyOptions): Promise<Proxy> {
  mkdirSync(folder, { recursive: true });
  const example = readExample('caddy/Caddyfile')
    .replace('127.0.0.1:8080', instances.join(' '))
    .replace('images.example.com {', `http://127.0.0.1:${port} {`);
  const file = join(folder, 'Caddyfile');
  writeFileSync(file, `{\n\tadmin off\n}\n${example}`);
  const child = spawn(find('caddy'), ['run', '--adapter', 'caddyfile', '--config', file], {
    stdio: 'ignore',
    env: { HOME: folder, PATH: process.env['PATH'] },
  });
  return startProxy(child, port);
}

export async function startHaproxy({ instances, port, folder }: ProxyOptions): Promise<Proxy> {
  mkdirSync(folder, { recursive: true });
  const servers = instances.map(
    (address, index) => `server instance${index} ${address} check inter 2s fall 1 rise 1`,
  );
  const example = readExample('haproxy/haproxy.cfg')
    .replace(/server one 127\.0\.0\.1:8080 .*/, servers.join('\n    '))
    .replace(/bind :443 .*/, `bind 127.0.0.1:${port}`);
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, example);
  return startProxy(spawn(find('haproxy'), ['-db', '-f', file], { stdio: 'ignore' }), port);
}

function readExample(name: string): string {
  return readFileSync(new URL(`../../../deploy/${name}`, import.meta.url), 'utf8');
}

async function startProxy(child: ChildProcess, port: number): Promise<Proxy> {
  const origin = `http://127.0.0.1:${port}`;
  const giveUpAt = performance.now() + startMsMax;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the proxy ended with ${child.exitCode}`);
    if (performance.now() > giveUpAt) {
      child.kill('SIGKILL');
      throw new Error(`the proxy does not answer after ${startMsMax} ms`);
    }
    const answers = await fetch(`${origin}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (answers) break;
    await sleep(200);
  }
  return {
    origin,
    close: async () => {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

/** Debian puts servers where a user's path does not lead. */
function find(program: string): string {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin'];
  const path = folders
    .map((folder) => join(folder, program))
    .find((file) => spawnSync('test', ['-x', file]).status === 0);
  if (!path)
    throw new Error(`there is no ${program}: apt-get install nginx-light caddy haproxy iproute2`);
  return path;
}
