import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import {
  bytesOf,
  eventsOf,
  failureOf,
  finalOf,
  lastBytes,
  outcomeOf,
} from '../../../test/support/upstreams/sandbox-attempts.ts';
import { faults } from '../upstream.ts';

describe('failing as directed', () => {
  test.each(faults.filter((fault) => fault !== 'canceled'))('%s', async (fault) => {
    const { events, error } = await outcomeOf({ prompt: `[[fail=${fault}]]` });
    expect(events).toEqual([]);
    expect(error).toMatchObject({ fault, upstreamRequestId: 'sandbox-tr_1-2-1' });
  });

  test.each(['[[fail=busy,retry_after=3s]]', '[[fail=busy]] [[retry_after=3s]]'])(
    '%s',
    async (prompt) => {
      expect(await failureOf({ prompt })).toMatchObject({
        fault: 'busy',
        status: 429,
        retryAfterMs: 3000,
      });
    },
  );

  test.each([
    ['[[fail=refused@partial1]]', 'refused'],
    ['[[drop@partial1]]', 'unavailable'],
  ])('%s after the first partial image', async (prompt, fault) => {
    const { events, error } = await outcomeOf({ prompt, partialImages: 3 });
    expect(events.map(({ kind }) => kind)).toEqual(['accepted', 'partial']);
    expect(error).toMatchObject({ fault, possiblyCharged: true });
  });

  test.each(['[[drop]]', '[[drop@partial1]]', '[[fail=busy@partial3]]'])(
    '%s instead of the picture when no such partial image was asked',
    async (prompt) => {
      const { events, error } = await outcomeOf({ prompt });
      expect(events.map(({ kind }) => kind)).toEqual(['accepted']);
      expect(error?.possiblyCharged).toBe(true);
    },
  );

  test.each(['fail=busy', 'drop', 'corrupt'])(
    'only the first attempts with times: %s',
    async (wrong) => {
      const attempt = (number: number) =>
        outcomeOf({ prompt: `[[${wrong}]] [[times=2]] a fox`, attempt: number });
      const good = bytesOf(await finalOf({ prompt: 'a fox' }));
      for (const number of [1, 2]) expect(lastBytes(await attempt(number))).not.toEqual(good);
      expect(lastBytes(await attempt(3))).toEqual(good);
    },
  );

  test('never names the prompt', async () => {
    const prompts = ['canary [[fail=refused]]', 'canary [[drop]]', '[[canary]]', '[[seed=canary]]'];
    for (const prompt of prompts)
      expect((await failureOf({ prompt })).message).not.toContain('canary');
  });
});

describe('answering otherwise than asked', () => {
  test('partials: fewer partial images, never more', async () => {
    const kinds = async (prompt: string, partialImages: number) =>
      (await eventsOf({ prompt, partialImages })).filter(({ kind }) => kind === 'partial').length;
    expect(await kinds('[[partials=1]]', 3)).toBe(1);
    expect(await kinds('[[partials=3]]', 1)).toBe(1);
  });

  test('actual: another size, format and quality', async () => {
    const final = await finalOf({
      prompt: '[[actual=80x120,jpeg,low]]',
      background: 'transparent',
    });
    const image = { format: 'jpeg', width: 80, height: 120 };
    expect(await sharp(bytesOf(final)).metadata()).toMatchObject(image);
    expect(final.actual).toEqual({ quality: 'low', background: 'opaque' });
  });

  test.each(['png', 'jpeg', 'webp'] as const)(
    'bytes: a whole %s of about that size',
    async (format) => {
      const bytes = bytesOf(await finalOf({ prompt: '[[bytes=1M]] a fox', format }));
      expect(Math.abs(bytes.length - 1_048_576)).toBeLessThan(16);
      const pixels = (file: Buffer) => sharp(file, { failOn: 'warning' }).raw().toBuffer();
      expect(await pixels(bytes)).toEqual(
        await pixels(bytesOf(await finalOf({ prompt: 'a fox', format }))),
      );
    },
  );

  test('revise: a revised prompt', async () => {
    const final = await finalOf({ prompt: '[[revise=A red fox]] a fox' });
    expect(final.revisedPrompt).toBe('A red fox');
    expect(bytesOf(final)).toEqual(bytesOf(await finalOf({ prompt: 'a fox' })));
  });

  test('seed: another picture, the same for the same seed', async () => {
    const drawn = async (prompt: string) => bytesOf(await finalOf({ prompt }));
    expect(await drawn('a fox [[seed=7]]')).toEqual(await drawn('[[seed=7]] a fox'));
    expect(await drawn('a fox [[seed=7]]')).not.toEqual(await drawn('a fox [[seed=8]]'));
  });

  test.each(['png', 'jpeg', 'webp'] as const)(
    'corrupt and truncate: no whole %s',
    async (format) => {
      for (const prompt of ['[[corrupt]]', '[[truncate]]']) {
        const bytes = bytesOf(await finalOf({ prompt, format }));
        const reading = sharp(bytes, { failOn: 'truncated' }).raw().toBuffer();
        await expect(reading).rejects.toBeInstanceOf(Error);
        expect(bytes.subarray(0, 12)).toEqual(
          bytesOf(await finalOf({ prompt: '', format })).subarray(0, 12),
        );
      }
    },
  );

  test('empty: no bytes; text: a page', async () => {
    expect(bytesOf(await finalOf({ prompt: '[[empty]]' })).length).toBe(0);
    expect(bytesOf(await finalOf({ prompt: '[[text]]' })).toString()).toMatch(/^<!doctype html>/);
  });
});
