import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { placeOf } from '../../server/telemetry/trace-ids.ts';
import { startTestApp, type TestApp, type TestAppOptions, type TestUser } from '../support/app.ts';
import { forEachEngine } from '../support/databases/databases.ts';
import { type CollectedSpan, startTraceCollector } from '../support/services/trace-collector.ts';

const path = '/v1/images/generations';
const body = { model: 'gen-image-2', prompt: 'a fox [[actual=32x32]]' };
const theirs = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceparent = `00-${theirs}-00f067aa0ba902b7-01`;

forEachEngine((engine) => {
  /** Its traces are sent by the time it has stopped. */
  async function start(tracesEndpoint: string | null, options: TestAppOptions = {}) {
    const database = await engine.open();
    const config = { tracesEndpoint, ...options.config };
    const app = await startTestApp(engine.locationOf(database), { ...options, config });
    return { app, user: await app.addUser() };
  }

  test('a request is one trace, whose ID is ours, with a span of each step', async () => {
    const collector = await startTraceCollector();
    const { app, user } = await start(collector.url);
    const { headers, status } = await ask(app, user, { traceparent });
    await app.stop();
    expect(status).toBe(200);
    const traceId = headers.get('x-request-id') ?? '';
    const place = placeOf(traceId);
    const [root, ...others] = collector.spansNamed(`POST ${path}`);
    expect(others).toEqual([]);
    expect(root).toMatchObject({ ...place, parentSpanId: null, isFailed: false });
    expect(root?.links).toEqual([{ traceId: theirs, spanId: '00f067aa0ba902b7' }]);
    expect(root?.attributes).toMatchObject({
      'tintype.trace_id': traceId,
      'tintype.model': 'gen-image-2',
      'tintype.operation': 'generation',
      'http.request.method': 'POST',
      'http.route': path,
      'http.response.status_code': 200,
    });
    const steps = ['admit', 'attempt sandbox', 'settle', 'deliver'];
    expect(new Set(collector.spans.map(({ name }) => name))).toEqual(
      new Set([...steps, root?.name]),
    );
    expect(collector.spans).toHaveLength(steps.length + 1);
    for (const name of steps) {
      const [step] = collector.spansNamed(name);
      expect(step, name).toMatchObject({ traceId: place.traceId, parentSpanId: place.spanId });
      expect(isWithin(step, root), name).toBe(true);
    }
    expect(collector.resource).toMatchObject({ 'service.name': 'tintype' });
  });

  test('every attempt has its span, and what failed says why', async () => {
    const collector = await startTraceCollector();
    const { app, user } = await start(collector.url);
    const { headers } = await ask(app, user, {}, { prompt: 'a fox [[fail=protocol]]', n: 2 });
    await app.stop();
    const attempts = collector.spansNamed('attempt sandbox');
    expect(attempts).toHaveLength(2);
    for (const attempt of attempts) {
      expect(attempt).toMatchObject({ isFailed: true, attributes: { 'error.type': 'protocol' } });
    }
    expect(collector.spansNamed('release')).toHaveLength(1);
    expect(collector.spansNamed('deliver')).toEqual([]);
    const [root] = collector.spansNamed(`POST ${path}`);
    expect(root).toMatchObject({ isFailed: true, attributes: { 'error.type': 'upstream_error' } });
    expect(root?.attributes['tintype.trace_id']).toBe(headers.get('x-request-id'));
  });

  test('a mistake of the caller is no failure of the service', async () => {
    const collector = await startTraceCollector();
    const { app, user } = await start(collector.url);
    await ask(app, user, {}, { size: 'enormous' });
    await app.stop();
    expect(collector.spans).toMatchObject([
      {
        name: `POST ${path}`,
        isFailed: false,
        attributes: { 'error.type': 'invalid_request_error' },
      },
    ]);
  });

  test('a repeat is a trace of its own that leads to the first', async () => {
    const collector = await startTraceCollector();
    const { app, user } = await start(collector.url);
    const keyed = { 'idempotency-key': 'order-1' };
    const first = await ask(app, user, keyed);
    await ask(app, user, keyed);
    await app.stop();
    const place = placeOf(first.headers.get('x-request-id') ?? '');
    const roots = collector.spansNamed(`POST ${path}`);
    const repeat = roots.find(({ traceId }) => traceId !== place.traceId);
    expect(roots).toHaveLength(2);
    expect(repeat?.links).toEqual([place]);
    expect(repeat?.attributes['tintype.trace_id']).toBe(first.headers.get('x-request-id'));
    expect(collector.spansNamed('settle')).toHaveLength(1);
    expect(collector.spansNamed('deliver')).toHaveLength(1);
  });

  test('the collector gets its headers and the name of the service', async () => {
    const collector = await startTraceCollector();
    const { app, user } = await start(collector.url, {
      config: {
        tracesHeaders: ['authorization=Basic%20abc', 'x-team=images'],
        tracesServiceName: 'paint',
      },
    });
    await ask(app, user);
    await app.stop();
    expect(collector.headers).toMatchObject([{ authorization: 'Basic abc', 'x-team': 'images' }]);
    expect(collector.resource).toMatchObject({ 'service.name': 'paint' });
  });

  test('of no request in a hundred means of none', async () => {
    const collector = await startTraceCollector();
    const { app, user } = await start(collector.url, { config: { tracesKeptPercent: 0 } });
    await ask(app, user);
    await app.stop();
    expect(collector.spans).toEqual([]);
  });

  test('nothing that a caller says is in a trace', async () => {
    const collector = await startTraceCollector();
    const { app, user } = await start(collector.url);
    const canary = 'canary0123456789';
    await ask(
      app,
      user,
      { traceparent, tracestate: `a=${canary}`, 'x-custom': canary, 'user-agent': canary },
      { prompt: `${canary} [[fail=refused]]`, user: canary, unknown: canary },
    );
    await ask(app, user, { traceparent: canary }, { model: canary });
    await fetch(`${app.baseUrl}/v1/${canary}?${canary}`);
    await fetch(`${app.baseUrl}/v1/models/${canary}`, {
      headers: { authorization: `Bearer ${user.apiKey}` },
    });
    await app.stop();
    expect(collector.spansNamed(`POST ${path}`)).toHaveLength(2);
    expect(collector.spansNamed('GET /v1/models/:id')).toHaveLength(1);
    for (const secret of [canary, user.apiKey, user.id, user.apiKeyId, user.email, '127.0.0.1']) {
      expect(collector.text()).not.toContain(secret);
    }
  });

  test.each([
    ['fails', 500],
    ['says nothing', 'silence'],
  ] as const)('a collector that %s harms no request', async (_what, status) => {
    const collector = await startTraceCollector(status);
    const { app, user } = await start(collector.url);
    for (let i = 0; i < 3; i++) expect((await ask(app, user)).status).toBe(200);
    await app.stop();
    expect(collector.spansNamed(`POST ${path}`)).toHaveLength(3);
  });

  test('a collector that is not there harms no request, and the log says so once', async () => {
    const lines: string[] = [];
    const nowhere = await closedAddress();
    const { app, user } = await start(nowhere, { onLogLine: (line) => lines.push(line) });
    for (let i = 0; i < 3; i++) expect((await ask(app, user)).status).toBe(200);
    await app.stop();
    const told = lines.filter((line) => line.includes('traces cannot be sent'));
    expect(told).toHaveLength(1);
    expect(told[0]).toContain('ECONNREFUSED');
  });

  test.each([
    [401, 'the collector answered with status 401'],
    [503, 'the collector takes nothing now: its status is 429, 502, 503 or 504'],
  ])('the log says why traces are not sent (%s)', async (status, why) => {
    const lines: string[] = [];
    const collector = await startTraceCollector(status);
    const { app, user } = await start(collector.url, { onLogLine: (line) => lines.push(line) });
    await ask(app, user);
    await app.stop();
    const told = lines.filter((line) => line.includes('traces cannot be sent'));
    expect(told.map((line) => (JSON.parse(line) as { err: unknown }).err)).toMatchObject([
      { name: 'OperatorError', message: why },
    ]);
  });
});

function ask(
  { baseUrl }: TestApp,
  { apiKey }: TestUser,
  headers: Record<string, string> = {},
  fields: Record<string, unknown> = {},
): Promise<Response> {
  return fetch(`${baseUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ ...body, ...fields }),
  }).then(async (response) => {
    await response.arrayBuffer();
    return response;
  });
}

/** Times of the records are whole milliseconds. */
function isWithin(step: CollectedSpan | undefined, root: CollectedSpan | undefined): boolean {
  if (!step || !root) return false;
  const millisecond = 1_000_000n;
  return (
    step.begunAt <= step.endedAt &&
    step.begunAt >= root.begunAt - millisecond &&
    step.endedAt <= root.endedAt + millisecond
  );
}

async function closedAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A listening TCP server's address is never a string.
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return `http://127.0.0.1:${port}`;
}
