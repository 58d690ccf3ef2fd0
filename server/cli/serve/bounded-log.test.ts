import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { BoundedLog } from './bounded-log.ts';

const line = `${'x'.repeat(99)}\n`;

it('loses lines while nobody reads, says so once, and says how many when somebody reads again', () => {
  const { stream, taken, takeAll } = slowStream();
  const said: (number | 'stuck')[] = [];
  const log = new BoundedLog(stream, {
    bytesMax: 1_000,
    onStuck: () => said.push('stuck'),
    onResumed: (lost) => said.push(lost),
  });
  for (let i = 0; i < 100; i++) log.write(line);
  expect(stream.writableLength).toBeLessThanOrEqual(1_100);
  expect(said).toEqual(['stuck']);
  takeAll();
  log.write('next\n');
  takeAll();
  expect(said).toEqual(['stuck', 89]);
  expect(taken()).toBe(line.repeat(11) + 'next\n');
});

it('loses nothing that somebody reads', () => {
  const { stream, taken, takeAll } = slowStream();
  const fail = () => expect.unreachable();
  const log = new BoundedLog(stream, { bytesMax: 1_000, onStuck: fail, onResumed: fail });
  for (let i = 0; i < 100; i++) {
    log.write(line);
    if (i % 5 === 0) takeAll();
  }
  takeAll();
  expect(taken()).toBe(line.repeat(100));
});

/** Takes nothing until it is told to. */
function slowStream() {
  const pieces: string[] = [];
  const waiting: (() => void)[] = [];
  const stream = new Writable({
    write: (piece, _encoding, done) => {
      waiting.push(() => {
        pieces.push(String(piece));
        done();
      });
    },
  });
  const takeAll = () => {
    for (let take = waiting.pop(); take; take = waiting.pop()) take();
  };
  return { stream, taken: () => pieces.join(''), takeAll };
}
