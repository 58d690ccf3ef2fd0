import { beforeEach, expect, test, vi } from 'vitest';
import { setEnabledOfUpstream } from '../../../server/flows/upstreams/enable-upstream.ts';
import { must } from '../../../server/lib/assert.ts';
import { errorCodes } from '../../../shared/error-codes.ts';
import { type Api, describeApi } from '../../support/callers/api.ts';
import { dataUrl, dot, formEdit, generation, jsonEdit } from '../../support/callers/ways-to-ask.ts';
import { testAccess } from '../../support/console/test-admin.ts';
import { samplesIn, sumOf } from '../../support/metrics-text.ts';
import { serveModel } from '../../support/upstreams/served-model.ts';

/** Counted from the beginning of each test on, as the service is shared. */
let before = '';
const callsToBreak = 5;

describeApi(
  (api) => {
    beforeEach(async () => {
      before = await read(api);
    });

    test('counts image requests by model, operation and code', async () => {
      await api.ask(generation);
      await api.ask(jsonEdit, { model: 'gen-image-2' });
      await api.ask(formEdit, { model: 'gen-image-2' });
      await api.ask(generation, { model: 'no-such-model' });
      await api.ask(generation, { size: 'enormous' });
      const name = 'tintype_image_requests_total';
      const labels = { model: 'gen-image-2', operation: 'edit', code: 'ok' };
      await vi.waitFor(async () => {
        const now = await read(api);
        const flare = { model: 'gen-image-2.5-flare', operation: 'generation', code: 'ok' };
        expect(grown(now, name, flare)).toBe(1);
        expect(grown(now, name, labels)).toBe(2);
        const refused = { operation: 'generation', code: 'invalid_request_error' };
        expect(grown(now, name, { ...refused, model: 'other' })).toBe(2);
        expect(grown(now, name, { ...refused })).toBe(2);
      });
    });

    test('tells how much room the embedded database has, and nothing of that of PostgreSQL', async () => {
      const [free] = samplesIn(await read(api)).filter(
        ({ name }) => name === 'tintype_disk_free_bytes',
      );
      if (api.app.database.engine === 'postgres') expect(free).toBeUndefined();
      else expect(free?.value).toBeGreaterThan(1e6);
    });

    test('times requests, and what of it was upstream', async () => {
      await api.ask(generation);
      const labels = { model: 'gen-image-2.5-flare', operation: 'generation' };
      await vi.waitFor(async () => {
        const now = await read(api);
        for (const name of [
          'tintype_image_request_duration_seconds',
          'tintype_image_upstream_seconds',
        ]) {
          expect(grown(now, `${name}_count`, labels)).toBe(1);
        }
        expect(grown(now, 'tintype_image_own_seconds_count', { operation: 'generation' })).toBe(1);
        expect(grown(now, 'tintype_http_request_duration_seconds_count', { surface: 'v1' })).toBe(
          1,
        );
        const sum = (name: string) => grown(now, `${name}_sum`, labels);
        expect(sum('tintype_image_upstream_seconds')).toBeLessThanOrEqual(
          // Rounded to milliseconds.
          sum('tintype_image_request_duration_seconds') + 0.002,
        );
      });
    });

    test('counts attempts by upstream and fault, and what may have been charged', async () => {
      await api.ask(generation);
      await api.ask(generation, { prompt: 'a fox [[fail=protocol]]' });
      const now = await read(api);
      const name = 'tintype_upstream_attempts_total';
      expect(grown(now, name, { upstream: 'sandbox', fault: 'none' })).toBe(1);
      expect(grown(now, name, { upstream: 'sandbox', fault: 'protocol' })).toBe(1);
      expect(grown(now, 'tintype_upstream_attempt_duration_seconds_count')).toBe(2);
      const charged = 'tintype_upstream_possibly_charged_total';
      expect(grown(now, charged, { upstream: 'sandbox' })).toBe(1);
    });

    test('counts the money of requests exactly', async () => {
      const user = await api.app.addUser({ money: '1' });
      await api.ask(generation, { n: 3 }, { user });
      await api.ask(generation, { prompt: 'a fox [[fail=protocol]]' }, { user });
      const now = await read(api);
      const moved = (movement: string) =>
        Math.round(grown(now, 'tintype_money_total', { movement }) * 1e6);
      expect(moved('charge')).toBeGreaterThan(0);
      expect(moved('hold')).toBe(moved('charge') + moved('release'));
      expect(moved('hold') * 3).toBe(moved('charge') * 4);
      expect(moved('refund')).toBe(0);
      expect(grown(now, 'tintype_pictures_total', { operation: 'generation' })).toBe(3);
    });

    test('counts why requests may not begin', async () => {
      const user = await api.app.addUser({ money: '0' });
      await api.ask(generation, {}, { user });
      await api.ask(generation);
      const now = await read(api);
      expect(grown(now, 'tintype_admissions_total', { outcome: 'no_money' })).toBe(1);
      expect(grown(now, 'tintype_admissions_total', { outcome: 'admitted' })).toBe(1);
      expect(grown(now, 'tintype_admit_duration_seconds_count')).toBe(2);
      expect(grown(now, 'tintype_settle_duration_seconds_count')).toBe(1);
    });

    test('counts bytes on the connection, in both directions', async () => {
      const { text } = await api.ask(jsonEdit, {
        images: [{ image_url: dataUrl(dot) }],
        unknown: 'x'.repeat(50_000),
      });
      await vi.waitFor(async () => {
        const now = await read(api);
        const received = grown(now, 'tintype_http_received_bytes_total', { surface: 'v1' });
        const sent = grown(now, 'tintype_http_sent_bytes_total', { surface: 'v1' });
        expect(received).toBeGreaterThan(50_000);
        expect(received).toBeLessThan(60_000);
        expect(sent).toBeGreaterThan(text.length);
        expect(sent).toBeLessThan(text.length + 5_000);
      });
    });

    test('counts requests by route pattern, never by address', async () => {
      await api.get('/v1/models/gen-image-2');
      await api.get('/v1/models/a-model-of-mine');
      await api.get('/somewhere/else');
      await vi.waitFor(async () => {
        const now = await read(api);
        const name = 'tintype_http_requests_total';
        const route = '/v1/models/:id';
        expect(grown(now, name, { method: 'GET', route, status: '200' })).toBe(1);
        expect(grown(now, name, { method: 'GET', route, status: '404' })).toBe(1);
        expect(grown(now, name, { method: 'GET', route: 'none', status: '404' })).toBe(1);
        expect(now).not.toContain('a-model-of-mine');
        expect(now).not.toContain('somewhere');
      });
    });

    test('has no label that grows with users or with what they send', async () => {
      await api.ask(generation, { model: `model-${'x'.repeat(50)}`, user: 'somebody' });
      const user = await api.app.addUser();
      await api.ask(generation, {}, { user });
      await api.get('/v1/models', { user: { apiKey: 'sk-tin-wrong' } });
      const text = await read(api);
      for (const { labels } of samplesIn(text)) {
        for (const value of Object.values(labels)) {
          expect(value).not.toMatch(/usr_|key_|tr_|sk-|@|x{50}|somebody|127\.0\.0\.1/);
        }
      }
      const codes = new Set<string>(['ok', 'client_gone', ...errorCodes]);
      const seen = samplesIn(text).flatMap(({ labels: { code } }) => code ?? []);
      expect(seen.filter((code) => !codes.has(code))).toEqual([]);
    });

    test('shows what is under way: holds, slots, calls, breakers, the process itself', async () => {
      const over = new AbortController();
      const { signal } = over;
      const user = await api.app.addUser({ money: '1' });
      const call = api.ask(generation, { prompt: 'a fox [[delay=60s]]' }, { user, signal });
      const left = call.then(
        () => 'answered',
        (error: unknown) => String(error),
      );
      await vi.waitFor(
        async () => {
          const now = await read(api);
          expect(sumOf(now, 'tintype_requests_running')).toBe(1);
          expect(sumOf(now, 'tintype_holds', { state: 'open' })).toBe(1);
          expect(sumOf(now, 'tintype_held_money')).toBeGreaterThan(0);
          const running = { upstream: 'sandbox', state: 'running' };
          expect(sumOf(now, 'tintype_upstream_calls', running)).toBe(1);
        },
        { timeout: 30_000 },
      );
      over.abort();
      expect(await left).toMatch(/aborted/);
      const now = await read(api);
      const breaker = { upstream: 'sandbox', state: 'closed' };
      expect(sumOf(now, 'tintype_upstream_breaker', breaker)).toBe(1);
      for (const name of ['tintype_ready', 'tintype_lease_certain', 'tintype_build_info']) {
        expect(sumOf(now, name), name).toBe(1);
      }
      expect(sumOf(now, 'tintype_requests_running_max')).toBe(2_000);
      expect(samplesIn(now).map(({ name }) => name)).toContain('nodejs_eventloop_lag_p99_seconds');
    });

    test('shows nothing more of an upstream that was disabled because its breaker opened', async () => {
      const { id, nameOf } = await serveModel(api.app, { broken: {} });
      const upstream = nameOf('broken');
      const fails = { model: id, prompt: 'a fox [[fail=timeout]]' };
      for (let i = 0; i < callsToBreak; i++) await api.ask(generation, fails);
      const open = async () =>
        sumOf(await read(api), 'tintype_upstream_breaker', { upstream, state: 'open' });
      expect(await open()).toBe(1);
      await setEnabledOfUpstream(api.app.admin, testAccess(), { upstream, enabled: false });
      expect(await open()).toBe(0);
      const changes = { upstream, state: 'open' };
      expect(sumOf(await read(api), 'tintype_upstream_breaker_changes_total', changes)).toBe(1);
    });
  },
  { config: { metricsPort: 0, graceMs: 0 } },
);

async function read(api: Api): Promise<string> {
  const { metricsUrl } = api.app.app;
  const response = await fetch(`${must(metricsUrl, 'a port for metrics')}/metrics`);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  return response.text();
}

function grown(now: string, name: string, labels: Record<string, string> = {}): number {
  return sumOf(now, name, labels) - sumOf(before, name, labels);
}
