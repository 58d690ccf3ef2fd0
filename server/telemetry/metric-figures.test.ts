/** What an operator reads off the figures: how long something took, and whether the process may be trusted with more. */
import { expect, it } from 'vitest';
import { amountFromMicros } from '../../shared/money.ts';
import { idleState } from '../../test/support/metrics-state.ts';
import { samplesIn, sumOf } from '../../test/support/metrics-text.ts';
import {
  answeredRequest as answered,
  goodAttempt as attempt,
} from '../../test/support/requests/answered-request.ts';
import { openMetrics } from './metrics.ts';

it('times are seconds: of a request, of what of it was upstream and here, and of its money', async () => {
  const metrics = await openMetrics();
  metrics.requests.onAnswered(answered);
  const request = { traceId: 'tr_1', amount: amountFromMicros(300) };
  metrics.runs.onAdmit({ ...request, outcome: 'admitted', begunAtMs: 1_000, endedAtMs: 1_125 });
  metrics.runs.onAttempts({ traceId: 'tr_1', note: answered, attempts: [attempt] });
  const charged = { cost: request.amount, pictures: 1 };
  metrics.runs.onEnd({ ...request, note: answered, charged });
  const { text } = await metrics.text();
  const model = { model: 'gen-image-2', operation: 'generation' };
  const sum = (name: string, labels: Readonly<Record<string, string>> = {}) =>
    sumOf(text, `tintype_${name}_seconds_sum`, labels);
  expect(sum('http_request_duration', { surface: 'v1' })).toBe(1.5);
  expect(sum('image_request_duration', model)).toBe(1.5);
  expect(sum('image_upstream', model)).toBe(1.25);
  expect(sum('image_own', { operation: 'generation' })).toBe(0.25);
  expect(sum('admit_duration')).toBe(0.125);
  expect(sum('upstream_attempt_duration', { upstream: 'studio' })).toBe(1.25);
  expect(sum('settle_duration')).toBe(0.025);
});

it('what did not get its pictures, and what repeats an answer, are in no time that a picture takes', async () => {
  const metrics = await openMetrics();
  metrics.requests.onAnswered({ ...answered, status: 502, code: 'upstream_error' });
  metrics.requests.onAnswered({ ...answered, traceId: 'tr_0', upstreamMs: null });
  const { text } = await metrics.text();
  for (const name of ['request_duration', 'upstream', 'own']) {
    expect(sumOf(text, `tintype_image_${name}_seconds_count`), name).toBe(0);
  }
  const code = (of: string) => sumOf(text, 'tintype_image_requests_total', { code: of });
  expect([code('upstream_error'), code('ok')]).toEqual([1, 1]);
  expect(sumOf(text, 'tintype_http_request_duration_seconds_count')).toBe(2);
});

it('a request whose client left before an answer has the status 0', async () => {
  const metrics = await openMetrics();
  metrics.requests.onAnswered({ ...answered, status: null, code: 'client_gone' });
  metrics.requests.onAnswered(answered);
  const { text } = await metrics.text();
  const count = (status: string) => sumOf(text, 'tintype_http_requests_total', { status });
  expect([count('0'), count('200')]).toEqual([1, 1]);
});

it('a picture that takes minutes is told from one that takes longer, and one from another surface', async () => {
  const metrics = await openMetrics();
  metrics.requests.onAnswered({ ...answered, durationMs: 170_000, upstreamMs: 169_000 });
  const page = { ...answered, operation: null, durationMs: 20 };
  metrics.requests.onAnswered({ ...page, route: '/api/console/usage' });
  metrics.requests.onAnswered({ ...page, route: '/healthz' });
  metrics.requests.onAnswered({ ...page, route: null });
  const { text } = await metrics.text();
  const within = (le: string) =>
    sumOf(text, 'tintype_image_request_duration_seconds_bucket', { le });
  expect([within('120'), within('180'), within('600'), within('+Inf')]).toEqual([0, 1, 1, 1]);
  const requests = (surface: string) =>
    sumOf(text, 'tintype_http_request_duration_seconds_count', { surface });
  expect([requests('v1'), requests('console'), requests('other')]).toEqual([1, 1, 2]);
});

it('an upstream that is passed over is no attempt, and says why', async () => {
  const metrics = await openMetrics();
  const failed = { ...attempt, fault: 'timeout', possibly_charged: true } as const;
  const skipped = { ...attempt, attempt: 0, skipped: 'breaker_open' } as const;
  const attempts = [skipped, failed, attempt];
  metrics.runs.onAttempts({ traceId: 'tr_1', note: answered, attempts });
  const { text } = await metrics.text();
  const count = (name: string, labels: Readonly<Record<string, string>> = {}) =>
    sumOf(text, `tintype_upstream_${name}_total`, { upstream: 'studio', ...labels });
  expect(count('skips', { reason: 'breaker_open' })).toBe(1);
  expect(count('attempts')).toBe(2);
  expect(count('attempts', { fault: 'timeout' })).toBe(1);
  expect(count('attempts', { fault: 'none' })).toBe(1);
  expect(count('possibly_charged')).toBe(1);
});

it('what a sweep found is counted by what became of it', async () => {
  const metrics = await openMetrics();
  const stuck = ['tr_1', 'tr_2', 'tr_3'].map((traceId) => ({ traceId, error: null }));
  for (let times = 0; times < 2; times++) {
    metrics.onSwept({ expired: 1, refunded: 2, stuck });
  }
  const { text } = await metrics.text();
  const swept = (outcome: string) => sumOf(text, 'tintype_holds_swept_total', { outcome });
  expect([swept('expired'), swept('refunded'), swept('stuck')]).toEqual([2, 4, 6]);
});

it('a clock that is set back makes no time less than none', async () => {
  const metrics = await openMetrics();
  metrics.requests.onAnswered({ ...answered, upstreamMs: answered.durationMs + 500 });
  const told = { traceId: 'tr_1', amount: amountFromMicros(300), outcome: 'no_slot' } as const;
  metrics.runs.onAdmit({ ...told, begunAtMs: 1_000, endedAtMs: 500 });
  const { text } = await metrics.text();
  expect(sumOf(text, 'tintype_image_own_seconds_sum')).toBe(0);
  expect(sumOf(text, 'tintype_admit_duration_seconds_sum')).toBe(0);
  expect(sumOf(text, 'tintype_money_total', { movement: 'hold' })).toBe(0);
});

it('a process that takes no requests, and one whose lease is uncertain, says so with a 0', async () => {
  const metrics = await openMetrics();
  let isReady = true;
  let isLeaseCertain = true;
  metrics.show({
    ...idleState,
    isReady: async () => isReady,
    isLeaseCertain: () => isLeaseCertain,
  });
  const shown = async () => {
    const samples = samplesIn((await metrics.text()).text);
    return ['tintype_ready', 'tintype_lease_certain'].map(
      (name) => samples.find((sample) => sample.name === name)?.value,
    );
  };
  expect(await shown()).toEqual([1, 1]);
  isReady = false;
  expect(await shown()).toEqual([0, 1]);
  isLeaseCertain = false;
  expect(await shown()).toEqual([0, 0]);
});
