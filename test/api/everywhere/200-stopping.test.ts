import { expect, test } from 'vitest';
import { startTestApp, type TestUser } from '../../support/app.ts';
import { exchange, RawConnection } from '../../support/callers/raw-http.ts';
import { generation } from '../../support/callers/ways-to-ask.ts';
import { forEachEngine } from '../../support/databases/databases.ts';
import { ManualClock } from '../../support/manual-clock.ts';

forEachEngine((engine) => {
  test('a service that stops takes no connections, and serves what comes on those it has', async () => {
    const clock = new ManualClock();
    const config = { shutdownDelayMs: 1_000 };
    const app = await startTestApp(engine.locationOf(await engine.open()), { clock, config });
    const user = await app.addUser();
    const kept = await openUnused(app.baseUrl);
    kept.send(head('GET /healthz'));
    expect((await kept.answer()).headers.get('connection')).toBe('keep-alive');
    const unused = await openUnused(app.baseUrl);
    const idle = clock.sleeping;
    const running = app.post(generation.path, user, fox({ seconds: 11 }));
    // Its deadline and the sandbox's delay.
    await clock.untilSleeping(idle + 2);

    const stopping = app.stop();
    // Its delay, while it still takes connections, and tells whoever checks.
    await clock.untilSleeping(idle + 3);
    expect(await exchange(app.baseUrl, head('GET /readyz'))).toMatchObject({ status: 503 });
    clock.advance(1_000);
    await expect.poll(() => tryToConnect(app.baseUrl)).toBe('ECONNREFUSED');
    unused.send(head('GET /readyz'));
    const readiness = await unused.answer();
    expect(readiness).toMatchObject({ status: 503, body: { error: { code: 'unavailable' } } });
    expect(readiness.headers.get('connection')).toBe('close');
    kept.send(post(user, fox({ seconds: 5 })));
    // Those of the second, and the limit of the service's patience.
    await clock.untilSleeping(idle + 5);
    clock.advance(5_000);
    const late = await kept.answer();
    expect(late.status).toBe(200);
    expect(late.headers.get('connection')).toBe('close');
    await kept.closed();

    clock.advance(5_000);
    expect((await running).status).toBe(200);
    expect((await running).headers.get('connection')).toBe('close');
    await stopping;
  });

  test('a stream that had begun is finished, and then its connection is closed', async () => {
    const clock = new ManualClock();
    const app = await startTestApp(engine.locationOf(await engine.open()), { clock });
    const user = await app.addUser();
    const idle = clock.sleeping;
    const running = app.post(generation.path, user, fox({ seconds: 40 }));
    const streaming = await RawConnection.open(app.baseUrl);
    streaming.send(post(user, { ...fox({ seconds: 30 }), stream: true }));
    // Deadlines, delays of the sandbox, and the comment with which a stream begins.
    await clock.untilSleeping(idle + 5);
    clock.advance(20_000);
    await expect.poll(() => streaming.received).toContain('HTTP/1.1 200');

    const stopping = app.stop();
    clock.advance(10_000);
    await streaming.closed();
    expect(streaming.received).toContain('event: image_generation.completed');
    clock.advance(10_000);
    expect((await running).status).toBe(200);
    await stopping;
  });

  test('connections that were opened and never used do not keep a service from stopping', async () => {
    const clock = new ManualClock();
    const app = await startTestApp(engine.locationOf(await engine.open()), { clock });
    const connection = await RawConnection.open(app.baseUrl);
    // The clock stands still, so it cannot be the limit of its patience that ends it.
    await app.stop();
    await connection.closed();
    expect(connection.received).toBe('');
  });
});

function fox({ seconds }: { seconds: number }) {
  return { model: 'gen-image-2', prompt: `a fox [[actual=32x32]] [[delay=${seconds}s]]` };
}

function head(line: string): string {
  return `${line} HTTP/1.1\r\nHost: a\r\n\r\n`;
}

function post({ apiKey }: TestUser, body: object): string {
  const text = JSON.stringify(body);
  return [
    `POST ${generation.path} HTTP/1.1`,
    'Host: a',
    `Authorization: Bearer ${apiKey}`,
    'Content-Type: application/json',
    `Content-Length: ${text.length}`,
    '',
    text,
  ].join('\r\n');
}

async function tryToConnect(baseUrl: string): Promise<unknown> {
  try {
    const connection = await RawConnection.open(baseUrl);
    connection.close();
    return 'connected';
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error;
  }
}

/** One that is not used yet, and that the service has taken. */
async function openUnused(baseUrl: string): Promise<RawConnection> {
  const connection = await RawConnection.open(baseUrl);
  // They are taken in the order in which they come.
  await exchange(baseUrl, head('GET /healthz'));
  return connection;
}
