import { describe, expect, it } from 'vitest';
import { amountFromMicros, amountMax } from '../../shared/money.ts';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { idleState } from '../../test/support/metrics-state.ts';
import { samplesIn, sumOf } from '../../test/support/metrics-text.ts';
import { answeredRequest } from '../../test/support/requests/answered-request.ts';
import type { AnsweredRequest } from '../http/request-watch.ts';
import { namesMax } from './metric-table.ts';
import { openMetrics } from './metrics.ts';
import { holdsAgeMaxMs, type State } from './state-metrics.ts';

const answered: AnsweredRequest = { ...answeredRequest, upstreamMs: 1_400, endedAtMs: 1_460 };

const note = { ...answered };

describe('labels', () => {
  it(`take ${namesMax} names, and call what comes later other`, async () => {
    const metrics = await openMetrics();
    for (let i = 0; i <= namesMax; i++) {
      metrics.requests.onAnswered({ ...answered, model: `model-${i}` });
    }
    metrics.requests.onAnswered({ ...answered, model: 'model-0' });
    const { text } = await metrics.text();
    const count = (model: string) => sumOf(text, 'tintype_image_requests_total', { model });
    expect(count('model-0')).toBe(2);
    expect(count(`model-${namesMax - 1}`)).toBe(1);
    expect(count(`model-${namesMax}`)).toBe(0);
    expect(count('other')).toBe(1);
  });

  it('that several upstreams share show all of them', async () => {
    const metrics = await openMetrics();
    const lane = { breaker: 'closed', running: 2, waiting: 1 } as const;
    const names = Array.from({ length: namesMax + 3 }, (_, i) => `upstream-${i}`);
    metrics.show(
      stateWith({ lanes: async () => names.map((upstream) => ({ upstream, ...lane })) }),
    );
    for (let reads = 0; reads < 2; reads++) {
      const { text } = await metrics.text();
      const sum = (name: string, state: string) =>
        sumOf(text, `tintype_upstream_${name}`, { upstream: 'other', state });
      expect([sum('breaker', 'closed'), sum('breaker', 'open')]).toEqual([3, 0]);
      expect([sum('calls', 'running'), sum('calls', 'waiting')]).toEqual([6, 3]);
    }
  });

  it('show a name as it is, whatever is in it', async () => {
    const metrics = await openMetrics();
    const model = 'a "model"\nof \\mine {x="y"} 1';
    metrics.requests.onAnswered({ ...answered, model });
    const { text } = await metrics.text();
    const [sample] = samplesIn(text).filter(({ name }) => name === 'tintype_image_requests_total');
    expect(JSON.parse(`"${sample?.labels['model']}"`)).toBe(model);
  });
});

describe('files of the console', () => {
  it('are one route: their names change with each version', async () => {
    const metrics = await openMetrics();
    for (const name of ['index-AbCd1234.js', 'usage-EfGh5678.js']) {
      metrics.requests.onAnswered({
        ...answered,
        method: 'GET',
        route: `/assets/${name}`,
        operation: null,
      });
    }
    const { text } = await metrics.text();
    expect(sumOf(text, 'tintype_http_requests_total', { route: '/assets/:file' })).toBe(2);
    expect(text).not.toContain('AbCd1234');
  });
});

describe('money', () => {
  it('is summed without an error, however many requests there are', async () => {
    const metrics = await openMetrics();
    const amount = amountFromMicros(100_000);
    for (let i = 0; i < 1_000; i++) {
      metrics.runs.onEnd({ traceId: 'tr_1', note, amount, charged: { cost: amount, pictures: 1 } });
    }
    const { text } = await metrics.text();
    // As floats, a tenth added a thousand times is not a hundred.
    expect(sumOf(text, 'tintype_money_total', { movement: 'charge' })).toBe(100);
    expect(sumOf(text, 'tintype_pictures_total')).toBe(1_000);
  });

  it('goes on being counted where it is more than an amount can be', async () => {
    const metrics = await openMetrics();
    const amount = amountFromMicros(amountMax);
    for (let i = 0; i < 3; i++) {
      metrics.runs.onEnd({ traceId: 'tr_1', note, amount, charged: { cost: amount, pictures: 1 } });
    }
    const { text } = await metrics.text();
    expect(sumOf(text, 'tintype_money_total', { movement: 'charge' })).toBe(27_021_597_764.222_973);
    expect(sumOf(text, 'tintype_pictures_total')).toBe(3);
  });

  it('of a request with fewer pictures than asked for is released in part', async () => {
    const metrics = await openMetrics();
    const [amount, cost] = [amountFromMicros(300), amountFromMicros(200)];
    metrics.runs.onEnd({ traceId: 'tr_1', note, amount, charged: { cost, pictures: 2 } });
    metrics.runs.onEnd({ traceId: 'tr_2', note, amount, charged: null });
    metrics.runs.onRefund({ traceId: 'tr_1', cost });
    const { text } = await metrics.text();
    const moved = (movement: string) => sumOf(text, 'tintype_money_total', { movement });
    expect([moved('charge'), moved('release'), moved('refund')]).toEqual([0.0002, 0.0004, 0.0002]);
  });
});

describe('several processes', () => {
  it('make one: what each counts is summed, what all look at is not', async () => {
    const processes = await Promise.all([1, 2, 3].map(() => openMetrics()));
    for (const [index, each] of processes.entries()) {
      each.show(stateWith({ running: () => index, isReady: async () => index !== 1 }));
      each.requests.onAnswered(answered);
      each.onSwept({ expired: index, refunded: 0, stuck: [] });
      const amount = amountFromMicros(40_000);
      each.runs.onEnd({ traceId: 'tr_1', note, amount, charged: { cost: amount, pictures: 1 } });
    }
    const all = await Promise.all(processes.map((each) => each.json()));
    // As it is when it has come from another process.
    const [first] = processes;
    const { text } = (await first?.sum(structuredClone(all))) ?? { text: '' };
    expect(sumOf(text, 'tintype_image_requests_total')).toBe(3);
    expect(sumOf(text, 'tintype_image_request_duration_seconds_count')).toBe(3);
    expect(sumOf(text, 'tintype_image_request_duration_seconds_sum')).toBe(4.5);
    expect(sumOf(text, 'tintype_holds_swept_total', { outcome: 'expired' })).toBe(3);
    expect(sumOf(text, 'tintype_money_total', { movement: 'charge' })).toBeCloseTo(0.12, 9);
    expect(sumOf(text, 'tintype_requests_running')).toBe(3);
    expect(sumOf(text, 'tintype_requests_running_max')).toBe(30);
    expect(sumOf(text, 'tintype_holds', { state: 'open' })).toBe(2);
    expect(sumOf(text, 'tintype_held_money')).toBe(0.08);
    expect(sumOf(text, 'tintype_ready')).toBe(0);
    expect(sumOf(text, 'tintype_build_info')).toBe(1);
    const breaker = { upstream: 'studio', state: 'open' };
    expect(sumOf(text, 'tintype_upstream_breaker', breaker)).toBe(3);
    expect(sumOf(text, 'tintype_upstream_calls', { state: 'waiting' })).toBe(6);
  });
});

describe('a worker that dies', () => {
  it('takes only its own counts along: those of the others do not fall', async () => {
    const [first, second, next] = await Promise.all([1, 2, 1].map((each) => openMetrics(each)));
    if (!first || !second || !next) throw new Error('three were opened');
    for (const each of [first, first, second]) each.requests.onAnswered(answered);
    const textOf = async (...alive: (typeof first)[]) => {
      for (const each of alive) each.show(stateWith({ running: () => 1 }));
      return (await second.sum(await Promise.all(alive.map((each) => each.json())))).text;
    };
    const before = await textOf(first, second);
    const after = samplesIn((await second.sum([await second.json(), await next.json()])).text);
    const grows = (name: string) => /tintype_.*_(total|bucket|count|sum)$/.test(name);
    const counted = samplesIn(before).filter(({ name }) => grows(name));
    expect(counted.length).toBeGreaterThan(20);
    const ofOthers = counted.filter(({ labels }) => labels['worker'] !== '1');
    expect(ofOthers).toHaveLength(counted.length / 2);
    for (const sample of ofOthers) expect(after).toContainEqual(sample);
    expect(sumOf(before, 'tintype_image_requests_total')).toBe(3);
    const ofFirst = { worker: '1', model: 'gen-image-2', operation: 'generation', code: 'ok' };
    expect(sumOf(before, 'tintype_image_requests_total', ofFirst)).toBe(2);
    const running = samplesIn(before).filter(({ name }) => name === 'tintype_requests_running');
    expect(running).toEqual([{ name: 'tintype_requests_running', labels: {}, value: 2 }]);
  });
});

describe('what the database says', () => {
  it('is asked for again only after a while', async () => {
    const clock = new ManualClock();
    let asked = 0;
    const metrics = await openMetrics();
    metrics.show(stateWith({ clock, readHolds: async () => ({ ...holds, open: ++asked }) }));
    const open = async () => sumOf((await metrics.text()).text, 'tintype_holds', { state: 'open' });
    expect([await open(), await open()]).toEqual([1, 1]);
    clock.advance(holdsAgeMaxMs - 1);
    expect(await open()).toBe(1);
    clock.advance(1);
    expect([await open(), await open()]).toEqual([2, 2]);
  });

  it('is left out when it says nothing, and the rest is there', async () => {
    const clock = new ManualClock();
    let isUp = true;
    const readHolds = async () => {
      if (!isUp) throw new Error('no database');
      return holds;
    };
    const metrics = await openMetrics();
    metrics.show(stateWith({ clock, readHolds }));
    const shown = async () =>
      samplesIn((await metrics.text()).text)
        .map(({ name }) => name)
        .filter((name) => /tintype_(hold|held|oldest|running)/.test(name));
    const all = ['tintype_holds', 'tintype_holds', 'tintype_held_money'];
    expect(await shown()).toEqual([...all, 'tintype_oldest_hold_seconds']);
    isUp = false;
    clock.advance(holdsAgeMaxMs);
    expect(await shown()).toEqual([]);
  });

  it('tells the age of the oldest hold, 0 without one, and how many are not handed over', async () => {
    const clock = new ManualClock();
    const shown = async (oldestAtMs: number | null) => {
      const metrics = await openMetrics();
      metrics.show(stateWith({ clock, readHolds: async () => ({ ...holds, oldestAtMs }) }));
      return (await metrics.text()).text;
    };
    const text = await shown(clock.now() - 90_000);
    expect(sumOf(text, 'tintype_oldest_hold_seconds')).toBe(90);
    expect(sumOf(await shown(null), 'tintype_oldest_hold_seconds')).toBe(0);
    expect(sumOf(text, 'tintype_holds', { state: 'undelivered' })).toBe(1);
    expect(sumOf(text, 'tintype_holds', { state: 'open' })).toBe(2);
  });
});

it('the free disk is there only where there is one to watch, and it can be read', async () => {
  const shown = async (readDiskFree: State['readDiskFree']) => {
    const metrics = await openMetrics();
    metrics.show(stateWith({ readDiskFree }));
    const { text } = await metrics.text();
    return samplesIn(text).filter(({ name }) => name === 'tintype_disk_free_bytes');
  };
  const sample = { name: 'tintype_disk_free_bytes', labels: {}, value: 5_000_000_000 };
  expect(await shown(async () => 5_000_000_000)).toEqual([sample]);
  expect(await shown(async () => null)).toEqual([]);
  expect(await shown(() => Promise.reject(new Error('no such folder')))).toEqual([]);
});

it('the lag of pruning is how far it is behind the clock, and is not there before it first ran', async () => {
  const clock = new ManualClock();
  const shown = async (readPrunedUntilMs: State['readPrunedUntilMs']) => {
    const metrics = await openMetrics();
    metrics.show(stateWith({ clock, readPrunedUntilMs }));
    const { text } = await metrics.text();
    const samples = samplesIn(text).filter(({ name }) => name === 'tintype_history_lag_seconds');
    return samples.map(({ value }) => value);
  };
  expect(await shown(async () => clock.now() - 90_000)).toEqual([90]);
  expect(await shown(async () => clock.now() + 90_000)).toEqual([0]);
  expect(await shown(async () => null)).toEqual([]);
  expect(await shown(() => Promise.reject(new Error('no database')))).toEqual([]);
});

it('a mail that the server takes for nobody of that address is told from one that failed', async () => {
  const metrics = await openMetrics();
  metrics.onMail({ kind: 'sent' });
  for (const isFinal of [true, false, false]) {
    metrics.onMail({ kind: 'failed', reason: 'of the server', isFinal });
  }
  const { text } = await metrics.text();
  const counted = ['sent', 'refused', 'failed'].map((outcome) =>
    sumOf(text, 'tintype_mails_total', { outcome }),
  );
  expect(counted).toEqual([1, 1, 2]);
});

it('the clock is so far from that of PostgreSQL, in seconds, and in neither direction with the embedded database', async () => {
  const shown = async (offsetMs: number | null) => {
    const metrics = await openMetrics();
    metrics.show(stateWith({ clockOffsetMs: () => offsetMs }));
    const { text } = await metrics.text();
    const samples = samplesIn(text).filter(({ name }) => name === 'tintype_clock_offset_seconds');
    return samples.map(({ value }) => value);
  };
  expect(await shown(1_500)).toEqual([1.5]);
  expect(await shown(-90_000)).toEqual([-90]);
  expect(await shown(null)).toEqual([]);
});

it('the memory budget, what is held of it, and how often it was full', async () => {
  const metrics = await openMetrics();
  const memory = { held: 5, budget: 16, waiting: 3, refusedUploads: 2, refusedAnswers: 7 };
  metrics.show(stateWith({ memory: () => memory }));
  const { text } = await metrics.text();
  expect(sumOf(text, 'tintype_memory_held_bytes')).toBe(5);
  expect(sumOf(text, 'tintype_memory_budget_bytes')).toBe(16);
  expect(sumOf(text, 'tintype_memory_waiting')).toBe(3);
  expect(sumOf(text, 'tintype_memory_refusals_total', { part: 'upload' })).toBe(2);
  expect(sumOf(text, 'tintype_memory_refusals_total', { part: 'answer' })).toBe(7);
});

const holds = { open: 2, undelivered: 1, held: amountFromMicros(80_000), oldestAtMs: null };

function stateWith(changes: Partial<State>): State {
  return {
    ...idleState,
    lanes: async () => [{ upstream: 'studio', breaker: 'open', running: 1, waiting: 2 }],
    readHolds: async () => holds,
    ...changes,
  };
}
