/** nginx, twice: as the instant upstream, and as the plain reverse proxy that nobody beats. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LoadCase } from './cases.ts';
import { type Child, findProgram, startChild } from './children.ts';

const keptConnections = 2_048;

export function findNginx(): string | null {
  return findProgram('nginx');
}

/** Where it is, or an error that says what to install. */
function requireNginx(): string {
  const found = findNginx();
  if (found !== null) return found;
  throw new Error(
    'nginx is not on this machine: apt-get install nginx-light, or put it on the PATH',
  );
}

export interface NginxPlace {
  /** Of its own; made when it is not there. */
  folder: string;
  port: number;
}

/** Answers each case with the file that `writeCannedAnswers` made for it. */
export function startUpstream(place: NginxPlace, cases: readonly LoadCase[]): Child {
  const { folder, port } = place;
  const names = cases.map((each) => locationsOf(each, port)).join('');
  const server = `
    default_type application/json;
    types { text/event-stream sse; application/json json; }
    location /canned/ { root ${folder}; }
    ${names}`;
  return start(place, { role: 'load', server, upstream: '' });
}

function locationsOf({ name, speaks }: LoadCase, port: number): string {
  const list = `location = /${name}/v1/models { return 200 '{"object":"list","data":[{"id":"gpt-image-2"}]}'; }\n`;
  switch (speaks) {
    case 'images':
      return `${list}${cannedAt(`/${name}/v1/images/generations`, `${name}.json`)}`;
    case 'responses':
      return `${list}${cannedAt(`/${name}/v1/responses`, `${name}.sse`)}`;
    case 'edits':
      // By way of itself, because what is returned at once is returned before the upload is read.
      return `${list}location = /${name}/v1/images/edits {
        client_body_buffer_size 512m;
        proxy_method GET;
        proxy_pass_request_body off;
        proxy_set_header Content-Length "";
        proxy_set_header Content-Type "";
        proxy_pass http://127.0.0.1:${port}/canned/${name}.json;
      }\n`;
  }
}

/** A file in answer to a POST: nginx has it for GET only, so by way of an error. */
function cannedAt(path: string, file: string): string {
  return `location = ${path} { error_page 405 =200 /canned/${file}; return 405; }\n`;
}

/** A reverse proxy that keeps what it relays in memory and its connections open. */
export function startProxy(place: NginxPlace, upstreamPort: number): Child {
  const upstream = `upstream behind { server 127.0.0.1:${upstreamPort}; keepalive ${keptConnections}; }`;
  const server = `
    location / {
      client_body_buffer_size 512m;
      proxy_buffer_size 64k;
      proxy_buffers 64 256k;
      proxy_busy_buffers_size 4m;
      proxy_max_temp_file_size 0;
      proxy_pass http://behind;
    }`;
  return start(place, { role: 'gateway', server, upstream });
}

interface Configuration {
  role: 'gateway' | 'load';
  server: string;
  upstream: string;
}

function start({ folder, port }: NginxPlace, configuration: Configuration): Child {
  const nginx = requireNginx();
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, configurationFile(port, configuration));
  return startChild({
    command: nginx,
    args: ['-p', folder, '-c', file, '-e', join(folder, 'error.log')],
    place: configuration.role,
    logFile: join(folder, 'output.log'),
  });
}

function configurationFile(port: number, { server, upstream }: Configuration): string {
  const isRoot = process.getuid?.() === 0;
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path temporary_${name};`,
  );
  return `
daemon off;
${isRoot ? 'user root;' : ''}
worker_processes 1;
worker_rlimit_nofile 20000;
pid nginx.pid;
events { worker_connections 20000; }
http {
  ${temporary.join(' ')}
  access_log off;
  sendfile on;
  tcp_nopush on;
  tcp_nodelay on;
  keepalive_requests 1000000;
  keepalive_timeout 600s;
  client_max_body_size 0;
  proxy_http_version 1.1;
  proxy_set_header Connection "";
  ${upstream}
  server { listen 127.0.0.1:${port} backlog=4096; ${server} }
}
`;
}
