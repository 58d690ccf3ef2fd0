import { expect, test } from 'vitest';
import { pngOfLength } from '../../../test/support/pictures.ts';
import { heldUntil, startEngine } from '../../../test/upstreams/a1111-engine.ts';
import type { EncodedImage } from '../../lib/pictures/encoded-image.ts';
import type { UpstreamEvent } from '../upstream.ts';
import { watchLimits } from './watch-task.ts';

const [first, second, third] = [300, 400, 500].map(pngOfLength);

test('a job is accepted as soon as it is in the queue, by the name it was sent with', async () => {
  const accepted = Promise.withResolvers<void>();
  const engine = await startEngine({
    deliver: heldUntil(accepted.promise),
    progress: () => ({ queued: true }),
  });
  const events = engine.start();
  const { value } = await events.next();
  const taskId = engine.bodies[0]?.['force_task_id'];
  expect(value).toEqual({ kind: 'accepted', upstreamRequestId: taskId });
  expect(taskId).toMatch(/^task\(tintype-[0-9a-f]{32}\)$/);
  accepted.resolve();
  expect((await events.next()).value).toMatchObject({ kind: 'final', upstreamRequestId: taskId });
});

test('a job that was never seen is accepted with its answer', async () => {
  const engine = await startEngine();
  const { events } = await engine.run();
  expect(events.map(({ kind }) => kind)).toEqual(['accepted', 'final']);
});

test('each attempt at each picture is a task of its own, which the trace ID does not give away', async () => {
  const engine = await startEngine();
  await engine.run({ pictureIndex: 0, attempt: 1 });
  await engine.run({ pictureIndex: 1, attempt: 1 });
  await engine.run({ pictureIndex: 0, attempt: 2 });
  const other = await startEngine();
  await other.run({ pictureIndex: 0, attempt: 1 });
  const ids = [...engine.bodies, ...other.bodies].map((body) => body['force_task_id']);
  expect(new Set(ids).size).toBe(4);
});

test('what the engine shows while the job waits is of another, and shown to nobody', async () => {
  const shown = Promise.withResolvers<void>();
  const others = pngOfLength(300);
  const ours = pngOfLength(400);
  const engine = await startEngine({
    deliver: heldUntil(shown.promise),
    progress: ({ number }) =>
      number === 1
        ? { queued: true, preview: { id: 3, picture: others } }
        : { active: true, preview: { id: 4, picture: ours } },
  });
  const events: UpstreamEvent[] = [];
  for await (const event of engine.start({ partialImages: 1 })) {
    events.push(event);
    if (event.kind === 'partial') shown.resolve();
  }
  expect(
    events.flatMap((event) => (event.kind === 'partial' ? [bytesOf(event.image)] : [])),
  ).toEqual([ours]);
});

test('the first previews are the partial images, each once', async () => {
  const shown = Promise.withResolvers<void>();
  const previews = [
    undefined,
    { id: 3, picture: first },
    // The engine has nothing new: it sends none, or the same again.
    undefined,
    { id: 3, picture: first },
    { id: 5, picture: second },
    { id: 6, picture: third },
  ];
  const engine = await startEngine({
    deliver: heldUntil(shown.promise),
    progress: ({ number }) => {
      const preview = previews[number - 1];
      return {
        active: true,
        ...(preview?.picture && { preview: { ...preview, picture: preview.picture } }),
      };
    },
  });
  const events: UpstreamEvent[] = [];
  for await (const event of engine.start({ partialImages: 2 })) {
    events.push(event);
    if (event.kind === 'partial' && event.index === 1) shown.resolve();
  }
  expect(events.map(({ kind }) => kind)).toEqual(['accepted', 'partial', 'partial', 'final']);
  expect(
    events.flatMap((event) => (event.kind === 'partial' ? [bytesOf(event.image)] : [])),
  ).toEqual([first, second]);
  expect(engine.looks.map(({ previewId }) => previewId)).toEqual([-1, -1, 3, 3, 3]);
  expect(engine.looks.every(({ wantsPreview }) => wantsPreview)).toBe(true);
  expect(events.at(-1)).toMatchObject({ warnings: [] });
});

test('nobody looks on when everything wanted has been seen', async () => {
  const release = Promise.withResolvers<void>();
  const engine = await startEngine({
    deliver: heldUntil(release.promise),
    progress: () => ({ active: true }),
  });
  const events = engine.start({ partialImages: 0 });
  expect((await events.next()).value).toMatchObject({ kind: 'accepted' });
  const final = events.next();
  // Time enough for more looks.
  for (let i = 0; i < 3; i++) await engine.adapter.listModels(engine.context());
  expect(engine.looks).toMatchObject([{ wantsPreview: false }]);
  release.resolve();
  expect((await final).value).toMatchObject({ kind: 'final' });
});

test.each([
  ['live previews are off at the engine', {}, [true]],
  ['previews are off at the upstream', { previews: false }, [false]],
  ['the engine has none', { flavour: 'koboldcpp' }, []],
])('it is told that there are no partial images when %s', async (_name, settings, wishes) => {
  const looked = Promise.withResolvers<void>();
  if (wishes.length === 0) looked.resolve();
  const engine = await startEngine({
    settings,
    deliver: heldUntil(looked.promise),
    progress: () => {
      looked.resolve();
      return { active: true };
    },
  });
  const { events } = await engine.run({ partialImages: 2 });
  expect(events.at(-1)).toMatchObject({ kind: 'final', warnings: ['partial_images_ignored'] });
  expect([...new Set(engine.looks.map(({ wantsPreview }) => wantsPreview))]).toEqual(wishes);
});

test('progress that cannot be read does no harm, and is given up', async () => {
  const givenUp = Promise.withResolvers<void>();
  const engine = await startEngine({
    deliver: heldUntil(givenUp.promise),
    progress: ({ number }) => {
      // One that can be read between others starts the count anew.
      if (number === 2) return {};
      if (number === 2 + watchLimits.failedLooksMax) givenUp.resolve();
      return null;
    },
  });
  const { events, error } = await engine.run({ partialImages: 1 });
  expect(error).toBeNull();
  expect(events.map(({ kind }) => kind)).toEqual(['accepted', 'final']);
  expect(engine.looks.length).toBe(2 + watchLimits.failedLooksMax);
});

test('a preview that is no picture is not shown', async () => {
  const looked = Promise.withResolvers<void>();
  const engine = await startEngine({
    deliver: heldUntil(looked.promise),
    progress: ({ number }) => {
      if (number > 2) looked.resolve();
      return { active: true, preview: { id: number, picture: Buffer.from('no picture at all') } };
    },
  });
  const { events } = await engine.run({ partialImages: 1 });
  expect(events.map(({ kind }) => kind)).toEqual(['accepted', 'final']);
});

function bytesOf(image: EncodedImage): Buffer {
  return image.encoding === 'raw' ? image.bytes : Buffer.from(image.ascii.toString(), 'base64');
}
