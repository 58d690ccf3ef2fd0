import { expect, it } from 'vitest';
import { readEvents } from './read-events.ts';

it('gives every event once, however the bytes were cut', async () => {
  const text =
    ': begin\n\nevent: a\ndata: {"x":"größe 图"}\n\n: keep-alive\r\n\r\ndata: {"x":2}\r\n\r\n';
  const whole = new TextEncoder().encode(text);
  for (let size = 1; size <= whole.length; size++) {
    const events = await Array.fromAsync(readEvents(streamOf(cut(whole, size))));
    expect(events).toEqual([{ x: 'größe 图' }, { x: 2 }]);
  }
});

it('leaves out an event that the connection cut off', async () => {
  const whole = new TextEncoder().encode('data: {"x":1}\n\ndata: {"x":');
  expect(await Array.fromAsync(readEvents(streamOf([whole])))).toEqual([{ x: 1 }]);
});

it('takes the event of a large picture, and none that never ends', async () => {
  const begin = new TextEncoder().encode('data: "');
  const end = new TextEncoder().encode('"\n\n');
  const piece = new Uint8Array(1_048_576).fill(65);
  const large = Array.from({ length: 127 }, () => piece);
  const [picture] = await Array.fromAsync(readEvents(streamOf([begin, ...large, end])));
  expect(picture).toHaveLength(127 * piece.length);
  await expect(
    Array.fromAsync(readEvents(streamOf([begin, ...large, piece, piece]))),
  ).rejects.toThrow(/buffer size/i);
});

it('ends the connection of which nobody wants more', async () => {
  let isEnded = false;
  const endless = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: (controller) => controller.enqueue(new TextEncoder().encode('data: 1\n\n')),
    cancel: () => {
      isEnded = true;
    },
  });
  for await (const event of readEvents(endless)) {
    expect(event).toBe(1);
    break;
  }
  await expect.poll(() => isEnded).toBe(true);
});

function cut(whole: Uint8Array<ArrayBuffer>, size: number): Uint8Array<ArrayBuffer>[] {
  const count = Math.ceil(whole.length / size);
  return Array.from({ length: count }, (_, at) => whole.slice(at * size, (at + 1) * size));
}

function streamOf(pieces: Uint8Array<ArrayBuffer>[]): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    start: (controller) => {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
}
