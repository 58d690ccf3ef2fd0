/** The examples of `deploy/` in the real programs: what a proxy makes of callers who leave, or send what is no HTTP. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect } from 'node:http2';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { RawConnection } from '../support/callers/raw-http.ts';
import { generation } from '../support/callers/ways-to-ask.ts';
import { walletOf } from '../support/money/spending.ts';
import { patience } from '../support/patience.ts';
import { freePort } from '../support/processes/free-port.ts';
import { makeScratchFolder } from '../support/scratch.ts';
import { type Proxy, startCaddy, startHaproxy, startNginx } from './instances/proxies.ts';

let app: TestApp;

beforeAll(async () => {
  const dataDir = makeScratchFolder('caller-leaves');
  // Nobody is waited for, so that what is not told in time is paid for.
  app = await startTestApp({ url: null, dataDir }, { config: { graceMs: 0 } });
  return async () => {
    await app.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
});

describe.each([
  ['nginx', startNginx],
  ['caddy', startCaddy],
  ['haproxy', startHaproxy],
] as const)('through %s', (program, start) => {
  const options = whereThereIs(program);

  it.each([false, true])(
    'a caller who leaves pays nothing (stream: %s)',
    options,
    async (stream) => {
      const proxy = await open(program, start);
      const user = await app.addUser();
      const leave = new AbortController();
      const { headers, body } = generation.write({ prompt: 'a fox [[delay=10s]]', stream });
      const answer = fetch(`${proxy.origin}${generation.path}`, {
        method: 'POST',
        headers: { ...headers, authorization: `Bearer ${user.apiKey}` },
        body,
        signal: leave.signal,
      }).then((response) => response.text());
      await expect.poll(wallet, patience).toBe('100.00 balance, 0.04 held, 1 slots');
      leave.abort();
      await expect(answer).rejects.toThrow('aborted');
      await expect.poll(wallet, patience).toMatch(/ 0\.00 held, 0 slots$/);
      expect(await wallet()).toBe('100.00 balance, 0.00 held, 0 slots');

      function wallet(): Promise<string> {
        return walletOf(app.database, user.id);
      }
    },
  );

  it('events come as they are made', options, async () => {
    const proxy = await open(program, start);
    const user = await app.addUser();
    const { headers, body } = generation.write({
      prompt: 'a fox [[delay=6s]] [[first=1s]]',
      stream: true,
      partial_images: 1,
    });
    const answer = await fetch(`${proxy.origin}${generation.path}`, {
      method: 'POST',
      headers: { ...headers, authorization: `Bearer ${user.apiKey}` },
      body,
    });
    let text = '';
    for await (const piece of answer.body ?? []) {
      const isFirst = !text.includes('event: ');
      text += Buffer.from(piece).toString('latin1');
      // Before the picture is made, and so before it is paid for.
      if (isFirst && text.includes('event: ')) {
        expect(await walletOf(app.database, user.id)).toBe('100.00 balance, 0.04 held, 1 slots');
      }
    }
    expect(text).toContain('event: image_generation.partial_image\n');
    expect(text).toContain('event: image_generation.completed\n');
  });

  it('a caller whose body is broken keeps nobody else out', options, async () => {
    const proxy = await open(program, start);
    const user = await app.addUser();
    const breaker = await RawConnection.open(proxy.origin);
    onTestFinished(() => breaker.close());
    const { host } = new URL(proxy.origin);
    breaker.send(
      `POST ${generation.path} HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: chunked\r\n\r\nno chunk\r\n`,
    );
    await expect.poll(() => breaker.received, patience).toMatch(/^HTTP\/1\.1 [45]/);
    // Straight to the service, and slower than anything that a proxy which has a place for a caller does.
    const { headers, body } = generation.write({ prompt: 'a fox [[delay=4s]]' });
    const picture = fetch(`${app.baseUrl}${generation.path}`, {
      method: 'POST',
      headers: { ...headers, authorization: `Bearer ${user.apiKey}` },
      body,
    });
    const other = await fetch(`${proxy.origin}/healthz`);
    expect(other.status).toBe(200);
    expect(await walletOf(app.database, user.id)).not.toContain('99.96 balance');
    expect((await picture).status).toBe(200);
  });
});

// The other two take HTTP/2 over TLS only.
describe('through haproxy, by HTTP/2', () => {
  it(
    'an answer that came before the upload was whole spoils no other',
    whereThereIs('haproxy'),
    async () => {
      const proxy = await open('haproxy', startHaproxy);
      await app.addUser();
      const caller = connect(proxy.origin);
      onTestFinished(() => caller.destroy());
      const upload = caller.request({
        ':method': 'POST',
        ':path': '/v1/images/edits',
        'content-type': 'multipart/form-data; boundary=b',
        'content-length': String(30 * 1_048_576),
      });
      upload.write(Buffer.alloc(1_048_576));
      const [refused] = await once(upload, 'response');
      expect(refused).toMatchObject({ ':status': 401 });
      // As curl does, short of the length that was said.
      upload.resume().end();
      await once(upload, 'close');
      const next = caller.request({ ':path': '/healthz' });
      const [answer] = await once(next, 'response');
      expect(answer).toMatchObject({ ':status': 200 });
    },
  );
});

function whereThereIs(program: string) {
  return {
    skip: spawnSync('sh', ['-c', `PATH=$PATH:/usr/sbin command -v ${program}`]).status !== 0,
    meta: { skippedBecause: `${program} is not installed` },
  };
}

async function open(program: string, start: typeof startNginx): Promise<Proxy> {
  const folder = makeScratchFolder(program);
  const proxy = await start({
    instances: [app.baseUrl.replace('http://', '')],
    port: await freePort(),
    folder,
  });
  onTestFinished(async () => {
    await proxy.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return proxy;
}
