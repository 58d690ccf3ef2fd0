import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import {
  adapterWith,
  bytesOf,
  eventsOf,
  failureOf,
  finalOf,
  picturesOf,
  start,
} from '../../../test/support/upstreams/sandbox-attempts.ts';
import { ServiceError } from '../../lib/service-error.ts';
import type { ImageJob } from '../upstream.ts';

describe('an attempt', () => {
  test('is accepted, shows partial images in order, and ends with the picture', async () => {
    const events = await eventsOf({ partialImages: 3 });
    expect(events.map(({ kind }) => kind)).toEqual([
      'accepted',
      'partial',
      'partial',
      'partial',
      'final',
    ]);
    expect(events.flatMap((event) => (event.kind === 'partial' ? [event.index] : []))).toEqual([
      0, 1, 2,
    ]);
  });

  test('says what it used', async () => {
    expect(await finalOf({})).toMatchObject({
      revisedPrompt: null,
      actual: { quality: 'medium', background: 'opaque' },
      upstreamRequestId: 'sandbox-tr_1-2-1',
      warnings: [],
    });
    expect(await finalOf({ quality: 'max', background: 'transparent' })).toMatchObject({
      actual: { quality: 'max', background: 'transparent' },
    });
  });

  test.each([
    ['png', 0, 'transparent'],
    ['png', 1, 'opaque'],
    ['jpeg', 0, 'opaque'],
  ] as const)(
    'says of a masked edit as %s, of a reference image with an alpha of %d, that it is %s',
    async (format, alpha, background) => {
      const size = { width: 48, height: 32 };
      const create = { ...size, channels: 4, background: { r: 0, g: 0, b: 0, alpha } } as const;
      const reference = await sharp({ create }).png().toBuffer();
      const keepAll = await sharp({ create: { ...create, background: '#000' } })
        .png()
        .toBuffer();
      const stored = { ...size, format: 'png', hasAlpha: true } as const;
      const referenceImages = [{ ...stored, bytes: reference }];
      const mask = { ...stored, bytes: keepAll };
      const edit = { operation: 'edit', format, referenceImages, mask } as const;
      expect(await finalOf(edit)).toMatchObject({ actual: { background } });
    },
  );

  test('counts the same tokens for the same job, more for more work', async () => {
    const tokens = async (job: Partial<ImageJob>) => (await finalOf(job)).tokens;
    const counted = await tokens({});
    expect(counted).toEqual(await tokens({ attempt: 2 }));
    expect(counted?.input).toBe((counted?.inputText ?? 0) + (counted?.inputImage ?? 0));
    expect((await tokens({ quality: 'high' }))?.output).toBeGreaterThan(counted?.output ?? 0);
  });

  test.each(['png', 'jpeg', 'webp'] as const)(
    'answers in %s, partial images too',
    async (format) => {
      for (const bytes of picturesOf(await eventsOf({ format, partialImages: 1 }))) {
        expect(await sharp(bytes).metadata()).toMatchObject({ format, width: 96, height: 64 });
      }
    },
  );

  test('draws under any model name, as the studio model does', async () => {
    expect(bytesOf(await finalOf({ upstreamModel: 'some-other' }))).toEqual(
      bytesOf(await finalOf({})),
    );
  });

  test('cannot do a quality its model does not have', async () => {
    const job = { upstreamModel: 'sandbox-classic', quality: 'xhigh' } as const;
    expect(await failureOf(job)).toMatchObject({ fault: 'unsupported' });
  });
});

describe('time', () => {
  test('delay is when the picture comes, first when the attempt is accepted', async () => {
    const run = start({ prompt: '[[delay=8s]] [[first=2s]] a fox', partialImages: 2 });
    expect(await run.arrivals([2000, 2000, 2000, 2000])).toEqual([
      ['accepted', 2000],
      ['partial', 4000],
      ['partial', 6000],
      ['final', 8000],
    ]);
  });

  test('the setting delays like the directive, which goes before it', async () => {
    const settings = { delayMs: 3000 };
    expect(await start({}, settings).arrivals([0, 3000])).toEqual([
      ['accepted', 0],
      ['final', 3000],
    ]);
    const directed = start({ prompt: '[[delay=1s]]' }, settings);
    expect(await directed.arrivals([0, 1000])).toEqual([
      ['accepted', 0],
      ['final', 1000],
    ]);
  });

  test('jitter varies the delay by attempt, within its bounds', async () => {
    const delays = new Set<number>();
    for (let attempt = 1; attempt <= 5; attempt++) {
      const { clock, events } = start({ prompt: '[[delay=10s]] [[jitter=20%]]', attempt });
      await events.next();
      const final = events.next();
      await clock.untilSleeping();
      clock.advance(7999);
      expect(clock.sleeping).toBe(1);
      for (; clock.sleeping > 0; clock.advance(50));
      delays.add(clock.monotonic());
      expect(clock.monotonic()).toBeLessThan(12_050);
      await final;
    }
    expect(delays.size).toBeGreaterThan(2);
  });

  test.each([
    ['before it is accepted', '[[first=9s]]', 0],
    ['before its picture', '[[delay=9s]]', 1],
    ['when it stalls', '[[stall]]', 1],
    ['before it fails', '[[delay=9s]][[fail=busy]]', 0],
  ])('ends at once when the signal aborts %s', async (_, prompt, delivered) => {
    const { clock, events, controller } = start({ prompt });
    for (let i = 0; i < delivered; i++) await events.next();
    const next = events.next();
    await clock.untilSleeping();
    controller.abort(new Error('the caller has gone'));
    await expect(next).rejects.toMatchObject({ name: 'UpstreamError', fault: 'canceled' });
    expect(clock.sleeping).toBe(0);
  });

  test('does not begin when the signal has aborted already', async () => {
    const { events, controller } = start({});
    controller.abort();
    await expect(events.next()).rejects.toMatchObject({ fault: 'canceled' });
  });

  test('a stalled attempt that nobody stops ends as a timeout', async () => {
    const { clock, events } = start({ prompt: '[[stall]]' });
    await events.next();
    const next = events.next();
    await clock.untilSleeping();
    clock.advance(24 * 3_600_000);
    await expect(next).rejects.toMatchObject({ fault: 'timeout' });
  });

  test('leaves the line for drawing when the signal aborts', async () => {
    const runs = Array.from({ length: 40 }, () => start({ size: 'auto' }));
    await Promise.all(runs.map(({ events }) => events.next()));
    const finals = runs.map(({ events }) => events.next());
    for (const { controller } of runs.slice(1)) controller.abort();
    const ends = await Promise.allSettled(finals);
    expect(ends[0]?.status).toBe('fulfilled');
    for (const end of ends.slice(1)) {
      expect(end).toMatchObject({ status: 'rejected', reason: { fault: 'canceled' } });
    }
  });
});

describe('settings', () => {
  test('directives off leaves them in the prompt', async () => {
    const off = { directives: 'off' };
    const prompt = '[[fail=busy]] a fox';
    const drawn = bytesOf(await finalOf({ prompt }, off));
    expect(drawn).not.toEqual(bytesOf(await finalOf({ prompt: 'a fox' }, off)));
  });

  test.each([
    ['settings.directives', { directives: 'maybe' }],
    ['settings.delayMs', { delayMs: -1 }],
    ['settings.delayMs', { delayMs: 3_600_000 }],
    ['settings.journal', { journal: 'journal.txt' }],
  ])('names %s when it is wrong', (param, settings) => {
    expect(() => adapterWith(settings)).toThrow(ServiceError);
    expect(() => adapterWith(settings)).toThrow(`${param} of Sandbox is invalid`);
  });

  test('says that there is no such setting', () => {
    expect(() => adapterWith({ unknown: 1 })).toThrow('There is no setting unknown.');
  });
});

test('lists its models, each of them saying that it is not AI', async () => {
  const adapter = adapterWith({});
  const context = {
    signal: new AbortController().signal,
    clock: new ManualClock(),
    credential: null,
  };
  const models = await adapter.listModels(context);
  expect(models.map(({ upstreamModel }) => upstreamModel)).toEqual([
    'sandbox-studio',
    'sandbox-quick',
    'sandbox-classic',
  ]);
  for (const { description } of models) expect(description).toContain('test pictures, not AI');
  expect(adapter.capabilities('sandbox-classic').qualities).toEqual([
    'auto',
    'low',
    'medium',
    'high',
  ]);
  expect(adapter.capabilities('sandbox-studio').qualities).toContain('max');
});
