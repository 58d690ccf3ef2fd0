import { describe, expect, test } from 'vitest';
import { made, thrown } from '../../../test/upstreams/a1111.ts';
import { heldUntil, startEngine } from '../../../test/upstreams/a1111-engine.ts';
import type { FakeAnswer } from '../../../test/upstreams/contract-subject.ts';
import { cutAt, silence } from '../../../test/upstreams/deliveries.ts';
import { stopLimits } from './task-stopper.ts';

describe('a job that nobody waits for any more', () => {
  test('is interrupted while the engine draws it', async () => {
    const engine = await startEngine({ deliver: silence, progress: () => ({ active: true }) });
    const { events, error } = await engine.runAndStop();
    expect(error?.fault).toBe('canceled');
    expect(events.some(({ kind }) => kind === 'final')).toBe(false);
    await engine.until(() => engine.interrupts > 0, 'the interrupt');
    await engine.adapter.close();
    expect(engine.interrupts).toBe(1);
    const taskId = engine.bodies[0]?.['force_task_id'];
    expect(engine.looks.at(-1)).toMatchObject({ taskId, wantsPreview: false });
  });

  test('ends at once, whatever the engine does', async () => {
    const stuck = Promise.withResolvers<void>();
    const engine = await startEngine({
      deliver: silence,
      progress: () => {
        stuck.resolve();
        throw new Error('the engine says nothing any more');
      },
    });
    expect((await engine.runAndStop()).error?.fault).toBe('canceled');
    await stuck.promise;
    expect(engine.interrupts).toBe(0);
  });

  test('is interrupted when its events are no longer read', async () => {
    const engine = await startEngine({ deliver: silence, progress: () => ({ active: true }) });
    for await (const { kind } of engine.start()) if (kind === 'accepted') break;
    await engine.until(() => engine.interrupts > 0, 'the interrupt');
    await engine.adapter.close();
    expect(engine.interrupts).toBe(1);
  });

  test('is watched in the queue, and interrupted when its turn comes', async () => {
    const queuedLooks = 5;
    const engine = await startEngine({
      deliver: silence,
      progress: ({ number }) => (number <= queuedLooks ? { queued: true } : { active: true }),
    });
    await engine.runAndStop();
    await engine.until(() => engine.interrupts === 1, 'the interrupt');
    expect(engine.looks.length).toBe(queuedLooks + 1);
  });

  test('is left alone when it leaves the queue without being drawn', async () => {
    const gone = Promise.withResolvers<void>();
    const engine = await startEngine({
      settings: { progressEveryMs: 10_000 },
      deliver: silence,
      progress: ({ number }) => {
        if (number <= 3) return { queued: true };
        gone.resolve();
        return {};
      },
    });
    await engine.runAndStop();
    await gone.promise;
    await engine.adapter.close();
    expect(engine.looks.length).toBe(4);
    expect(engine.interrupts).toBe(0);
  });

  test('is not interrupted while the engine draws another', async () => {
    const looksMax = 1 + stopLimits.unknownMsMax / stopLimits.lookEveryMs;
    const drawn = Promise.withResolvers<void>();
    const engine = await startEngine({
      settings: { progressEveryMs: 10_000 },
      deliver: silence,
      // Ours is neither drawn nor queued: what the engine draws is somebody else's.
      progress: ({ number }) => {
        if (number === looksMax) drawn.resolve();
        return {};
      },
    });
    await engine.runAndStop();
    await drawn.promise;
    await engine.adapter.close();
    expect(engine.looks.length).toBe(looksMax);
    expect(engine.interrupts).toBe(0);
  });

  test('is looked for until its request has arrived', async () => {
    const engine = await startEngine({
      settings: { progressEveryMs: 10_000 },
      deliver: silence,
      progress: ({ number }) => (number <= 5 ? {} : { active: true }),
    });
    await engine.runAndStop();
    await engine.until(() => engine.interrupts > 0, 'the interrupt');
    expect(engine.looks.length).toBe(6);
  });

  test.each([
    ['comes just in time', 0, 1],
    ['comes too late', 1, 0],
  ])('has a turn that %s in the queue', async (_name, late, interrupts) => {
    const looksMax = 1 + stopLimits.queuedMsMax / stopLimits.lookEveryMs;
    const turn = looksMax + late;
    const last = Promise.withResolvers<void>();
    const engine = await startEngine({
      settings: { progressEveryMs: 10_000 },
      deliver: silence,
      progress: ({ number }) => {
        if (number === looksMax) last.resolve();
        return number < turn ? { queued: true } : { active: true };
      },
    });
    await engine.runAndStop();
    await last.promise;
    await engine.adapter.close();
    expect(engine.interrupts).toBe(interrupts);
    expect(engine.looks.length).toBe(looksMax);
  });

  test('is not interrupted at an engine that cannot tell whose job it draws', async () => {
    for (const flavour of ['sdnext', 'draw-things', 'koboldcpp', 'sd-server']) {
      const engine = await startEngine({ settings: { flavour }, deliver: silence });
      expect((await engine.runAndStop()).error?.fault).toBe('canceled');
      await engine.adapter.close();
      expect(engine.looks).toEqual([]);
      expect(engine.interrupts).toBe(0);
    }
  });
});

test.each([
  ['whose connection breaks', { deliver: cutAt(0, 'reset') }, 'unavailable'],
  ['that a gateway gave up', { answer: thrown(504, 'GatewayTimeout', '') }, 'timeout'],
  ['for which the page of a gateway comes', { answer: pageOf(502) }, 'unavailable'],
  ['for which a page comes as if it were the picture', { answer: pageOf(200) }, 'protocol'],
])('a job %s is interrupted too', async (_name, script, fault) => {
  const engine = await startEngine({ ...script, progress: () => ({ active: true }) });
  const { error } = await engine.run();
  expect(error?.fault).toBe(fault);
  await engine.until(() => engine.interrupts === 1, 'the interrupt');
});

test.each([
  ['the engine refuses', { answer: thrown(422, 'HTTPException', '') }],
  ['a gateway does not let in', { answer: pageOf(403) }],
  ['fails at the engine', { answer: thrown(500, 'RuntimeError', '') }],
  ['is answered', {}],
  ['is answered without a picture', { answer: made([]) }],
])('a job that %s has ended, and nothing is interrupted', async (_name, script) => {
  // As it goes on telling of a job that failed, until the next begins.
  const engine = await startEngine({ ...script, progress: () => ({ active: true }) });
  await engine.run();
  await engine.adapter.close();
  expect(engine.interrupts).toBe(0);
});

describe('closing', () => {
  test('takes a last look at what is queued', async () => {
    const closing = Promise.withResolvers<void>();
    let isClosing = false;
    const engine = await startEngine({
      deliver: silence,
      progress: ({ number }) => {
        if (number === 3) closing.resolve();
        return isClosing ? { active: true } : { queued: true };
      },
    });
    await engine.runAndStop();
    await closing.promise;
    isClosing = true;
    await engine.adapter.close();
    expect(engine.interrupts).toBe(1);
  });

  test('does not wait for a queue', async () => {
    const engine = await startEngine({ deliver: silence, progress: () => ({ queued: true }) });
    await engine.runAndStop();
    await engine.adapter.close();
    const { length } = engine.looks;
    await engine.adapter.close();
    expect(engine.looks.length).toBe(length);
    expect(engine.interrupts).toBe(0);
  });

  test('lets a job end that is under way', async () => {
    const release = Promise.withResolvers<void>();
    const engine = await startEngine({ deliver: heldUntil(release.promise) });
    const running = engine.run();
    await engine.until(() => engine.fake.mainRequests.length === 1, 'the job arrives');
    const closed = engine.adapter.close();
    release.resolve();
    expect((await running).events.at(-1)).toMatchObject({ kind: 'final' });
    await closed;
  });
});

test(`no more than ${stopLimits.tasksMax} tasks are stopped at a time`, async () => {
  const engine = await startEngine({
    settings: { progressEveryMs: 10_000 },
    deliver: silence,
    progress: () => ({ queued: true }),
  });
  const stop = new AbortController();
  const jobs = Array.from({ length: stopLimits.tasksMax + 1 }, (_, attempt) => attempt);
  const running = jobs.map((attempt) => engine.run({ attempt }, stop.signal));
  await engine.until(() => engine.fake.mainRequests.length === jobs.length, 'all jobs arrive');
  stop.abort();
  await Promise.all(running);
  await engine.adapter.close();
  expect(new Set(engine.looks.map(({ taskId }) => taskId)).size).toBe(stopLimits.tasksMax);
});

describe('a picture of a job that somebody interrupted', () => {
  test.each([{ interrupted: true }, { skipped: true }])(
    'is not passed off as whole: %o',
    async (state) => {
      const engine = await startEngine({ state });
      const { events, error } = await engine.run();
      expect(events).toEqual([]);
      expect(error).toMatchObject({ fault: 'unavailable', possiblyCharged: true });
    },
  );

  test.each([
    ['nobody interrupted it', {}],
    ['another job was interrupted since', { interrupted: true, timestamp: '20261121170413' }],
    ['another job was skipped since', { skipped: true, timestamp: '20261121170413' }],
    ['the engine does not say', null],
  ])('is one only if the engine says so: %s', async (_name, state) => {
    const engine = await startEngine({ state });
    expect((await engine.run()).events.at(-1)).toMatchObject({ kind: 'final' });
  });
});

function pageOf(status: number): FakeAnswer {
  const headers = { 'content-type': 'text/html' };
  return { status, headers, body: [Buffer.from('<html><h1>Something is wrong</h1></html>')] };
}
