/** How the built console is served, with a build that is small enough to be read here. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { must } from '../../server/lib/assert.ts';
import { pages } from '../../shared/console/pages.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { makeScratchFolder } from '../support/scratch.ts';

const script = 'console.log("the console");'.repeat(40);
const page = '<!doctype html><title>Tintype</title>';
const folder = makeScratchFolder('web');
let app: TestApp | null = null;

beforeAll(async () => {
  writeBuild(join(folder, 'dist'));
  app = await startTestApp({ url: null, dataDir: folder }, { webFolder: join(folder, 'dist') });
});
afterAll(async () => {
  await app?.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('a page', () => {
  it.each(Object.values(pages))('%s is the console, whatever page it is', async (pattern) => {
    const answer = await ask(pattern.replace(/\$\w+/, 'x'));
    expect(answer).toMatchObject({ status: 200, text: page });
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
  });

  it('is asked for anew each time, and not sent again when it is the same', async () => {
    const first = await ask('/usage');
    expect(first.headers['cache-control']).toBe('no-cache');
    const etag = must(first.headers.etag, 'an ETag');
    const second = await ask('/usage', { 'if-none-match': etag });
    expect(second).toMatchObject({ status: 304, text: '' });
    expect(second.headers.etag).toBe(etag);
    expect((await ask('/usage', { 'if-none-match': '"another"' })).status).toBe(200);
  });

  it('may run, load and show nothing but what is of this service', async () => {
    const { headers } = await ask('/login');
    expect(String(headers['content-security-policy']).split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "font-src 'self'",
      "img-src 'self' blob:",
      "connect-src 'self'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "object-src 'none'",
    ]);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
  });

  it('tells browsers to stay with https only where it is reached by https', async () => {
    expect((await ask('/login')).headers['strict-transport-security']).toBeUndefined();
    const dataDir = join(folder, 'https');
    mkdirSync(dataDir);
    const config = { publicUrl: 'https://images.example.com' };
    const webFolder = join(folder, 'dist');
    const secure = await startTestApp({ url: null, dataDir }, { webFolder, config });
    try {
      const { headers } = await fetch(`${secure.baseUrl}/login`);
      expect(headers.get('strict-transport-security')).toBe('max-age=63072000');
    } finally {
      await secure.stop();
    }
  });

  it('answers HEAD like GET, without the body', async () => {
    const answer = await ask('/usage', {}, 'HEAD');
    expect(answer).toMatchObject({ status: 200, text: '' });
    expect(answer.headers['content-length']).toBe(String(page.length));
  });
});

describe('a file', () => {
  const path = '/assets/index-AbCd1234.js';

  it('is kept for good, because its name changes with its content', async () => {
    const { status, headers, text } = await ask(path);
    expect({ status, text }).toEqual({ status: 200, text: script });
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(headers.vary).toBe('accept-encoding');
  });

  it.each([
    ['br', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['*', 'br'],
    ['br;q=0, gzip', undefined],
    ['identity', undefined],
    ['', undefined],
  ])('to a client that takes "%s" is sent in %s', async (accepted, encoding) => {
    const { headers, bytes } = await ask(path, { 'accept-encoding': accepted });
    expect(headers['content-encoding']).toBe(encoding);
    expect((encoding === 'br' ? brotliDecompressSync(bytes) : bytes).toString()).toBe(script);
  });
});

describe('what is not part of the console', () => {
  it.each([
    '/assets/index-AbCd1234.js.br',
    '/assets/',
    '/assets/..%2f..%2ftintype.db',
    '/assets/../files.json',
    '/files.json',
    '/index.html',
    '/.vite/manifest.json',
    '/secret.txt',
    '/usage/a/b',
    '/_kit',
  ])('%s is not served', async (path) => {
    const { status, headers } = await ask(path);
    expect(status).toBe(404);
    expect(headers['content-type']).toContain('application/json');
  });

  it('is shown as a page to whoever reads pages, with the status 404', async () => {
    const answer = await ask('/nowhere', { accept: 'text/html,*/*;q=0.8' });
    expect(answer).toMatchObject({ status: 404, text: page });
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
  });

  it.each(['/%', '/%zz?a=b', '/usage/%E0%A4%A', `/t/${'x'.repeat(201)}`])(
    'is shown as a page also where the router cannot read its address: %s',
    async (path) => {
      const answer = await ask(path, { accept: 'text/html' });
      expect(answer).toMatchObject({ status: 404, text: page });
      expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
      const { headers } = await ask(path);
      expect(headers['content-type']).toContain('application/json');
    },
  );

  it.each(['/v1/nothing', '/v1/%', '/v1/models/%zz', '/api/console/nothing', '/api/console/%'])(
    '%s stays an error for programs, whoever asks',
    async (path) => {
      const { headers } = await ask(path, { accept: 'text/html' });
      expect(headers['content-type']).toContain('application/json');
    },
  );

  it('takes no other method', async () => {
    expect((await ask('/usage', { accept: 'text/html' }, 'POST')).status).toBe(404);
  });
});

describe('without a built console', () => {
  it('the API works, and / says how to build it', async () => {
    const dataDir = join(folder, 'unbuilt');
    mkdirSync(dataDir);
    const bare = await startTestApp({ url: null, dataDir }, { webFolder: join(folder, 'none') });
    try {
      const answer = await fetch(bare.baseUrl);
      expect(answer.status).toBe(200);
      expect(await answer.text()).toContain('npm run build');
      expect((await fetch(`${bare.baseUrl}/healthz`)).status).toBe(200);
      expect((await fetch(`${bare.baseUrl}/usage`)).status).toBe(404);
    } finally {
      await bare.stop();
    }
  });
});

function writeBuild(dist: string): void {
  mkdirSync(join(dist, 'assets'), { recursive: true });
  const contents = {
    'index.html': page,
    'assets/index-AbCd1234.js': script,
    'assets/index-AbCd1234.js.br': brotliCompressSync(script),
    // There, but not on the list.
    'secret.txt': 'secret',
  };
  for (const [name, content] of Object.entries(contents)) writeFileSync(join(dist, name), content);
  const files = Object.keys(contents).filter((name) => name !== 'secret.txt');
  writeFileSync(join(dist, 'files.json'), JSON.stringify({ files, extraPages: [] }));
}

/** By hand, because `fetch` mends paths and unpacks bodies. */
function ask(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const { hostname, port } = new URL(must(app, 'a service that has started').baseUrl);
  return new Promise<Answer>((resolve, reject) => {
    const sent = request({ hostname, port, path, method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const bytes = Buffer.concat(chunks);
        const { statusCode: status = 0, headers: answered } = response;
        resolve({ status, headers: answered, bytes, text: bytes.toString() });
      });
    });
    sent.on('error', reject);
    sent.end();
  });
}

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined> & { etag?: string | undefined };
  bytes: Buffer;
  text: string;
}
