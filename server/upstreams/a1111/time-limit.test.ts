import { expect, test } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { abortOf } from '../../lib/abort.ts';
import { within } from './time-limit.ts';

test('work that is done in time is given, and no limit is left behind', async () => {
  const clock = new ManualClock();
  expect(await within({ clock, ms: 100 }, async () => 'done')).toBe('done');
  expect(clock.sleeping).toBe(0);
});

test('work that fails leaves no limit behind either', async () => {
  const clock = new ManualClock();
  const failed = new Error('it failed');
  await expect(within({ clock, ms: 100 }, () => Promise.reject(failed))).rejects.toBe(failed);
  expect(clock.sleeping).toBe(0);
});

test('work goes on until the time is over, and no longer', async () => {
  const clock = new ManualClock();
  let isOver = false;
  const work = within({ clock, ms: 100 }, async (signal) => {
    signal.addEventListener('abort', () => (isOver = true));
    await abortOf(signal);
  });
  clock.advance(99);
  await Promise.resolve();
  expect(isOver).toBe(false);
  clock.advance(1);
  await expect(work).rejects.toMatchObject({ fault: 'timeout' });
  expect(isOver).toBe(true);
});
