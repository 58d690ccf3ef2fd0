import { expect, test } from 'vitest';
import { RenderQueue } from './render-queue.ts';

const anyone = { signal: new AbortController().signal, isBegun: false };

test('runs no more at once than it has slots, in the order they came', async () => {
  const queue = new RenderQueue(2, 10);
  const started: number[] = [];
  const ends = [0, 1, 2, 3].map(() => Promise.withResolvers<void>());
  const runs = ends.map(({ promise }, i) =>
    queue.run(async () => {
      started.push(i);
      await promise;
    }, anyone),
  );
  await settled();
  expect(started).toEqual([0, 1]);
  ends[1]?.resolve();
  await runs[1];
  await settled();
  expect(started).toEqual([0, 1, 2]);
  for (const { resolve } of ends) resolve();
  await Promise.all(runs);
  expect(started).toEqual([0, 1, 2, 3]);
});

test('lets a picture that is begun go first', async () => {
  const queue = new RenderQueue(1, 10);
  const order: string[] = [];
  const first = Promise.withResolvers<void>();
  const runs = [
    queue.run(() => first.promise, anyone),
    queue.run(async () => void order.push('new'), anyone),
    queue.run(async () => void order.push('begun'), { ...anyone, isBegun: true }),
  ];
  first.resolve();
  await Promise.all(runs);
  expect(order).toEqual(['begun', 'new']);
});

test('lets a waiter leave the line when its signal aborts', async () => {
  const queue = new RenderQueue(1, 10);
  const first = Promise.withResolvers<void>();
  const running = queue.run(() => first.promise, anyone);
  const controller = new AbortController();
  const leaving = queue.run(async () => 'left', { ...anyone, signal: controller.signal });
  const staying = queue.run(async () => 'stayed', anyone);
  controller.abort(new Error('gone'));
  await expect(leaving).rejects.toThrow('gone');
  first.resolve();
  await running;
  await expect(staying).resolves.toBe('stayed');
});

test('frees the slot of work that throws', async () => {
  const queue = new RenderQueue(1, 10);
  await expect(queue.run(() => Promise.reject(new Error('broken')), anyone)).rejects.toThrow(
    'broken',
  );
  await expect(queue.run(async () => 'next', anyone)).resolves.toBe('next');
});

test('is busy when too many wait', async () => {
  const queue = new RenderQueue(1, 1);
  const first = Promise.withResolvers<void>();
  const running = queue.run(() => first.promise, anyone);
  const waiting = queue.run(async () => {}, anyone);
  await expect(queue.run(async () => {}, anyone)).rejects.toMatchObject({ fault: 'busy' });
  first.resolve();
  await Promise.all([running, waiting]);
});

/** Lets everything that is ready run. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
