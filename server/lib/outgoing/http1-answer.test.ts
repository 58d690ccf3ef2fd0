import { expect, test } from 'vitest';
import { LentMemory } from '../../../test/support/lent-memory.ts';
import { Http1Answer } from './http1-answer.ts';

const unused = () => expect.unreachable('the connection is left to itself');
const source = {
  pause: unused,
  resume: unused,
  leave: () => {},
  letEnd: () => {},
  consumed: unused,
};

test.each<[string, (answer: Http1Answer) => void]>([
  ['left', (answer) => answer.discard()],
  ['let end', (answer) => answer.letEnd()],
  ['stopped', (answer) => answer.stop(new Error('canceled'))],
])('the memory of pieces that nobody has read is given back when the answer is %s', (_how, end) => {
  using lent = new LentMemory();
  const answer = new Http1Answer(source);
  answer.receive(Buffer.alloc(20_000));
  answer.receive(Buffer.alloc(20_000));
  expect(lent.left).toHaveLength(2);
  end(answer);
  expect(lent.left).toEqual([]);
});

test('the memory of pieces that wait is given back when they are read, and makes room for others', async () => {
  using lent = new LentMemory();
  // However many come, never as many at a time that the connection would be paused.
  const answer = new Http1Answer(source);
  for (let n = 0; n < 100; n++) {
    answer.receive(Buffer.alloc(20_000, n));
    await answer.read((piece) => {
      expect(piece.equals(Buffer.alloc(20_000, n))).toBe(true);
      return false;
    });
    expect(lent.left).toEqual([]);
  }
});

test('what comes of an answer that was left is not kept', () => {
  using lent = new LentMemory();
  const answer = new Http1Answer(source);
  answer.discard();
  answer.receive(Buffer.alloc(20_000));
  expect(lent.times).toBe(0);
});

test('an answer whose reader throws is left, whether pieces wait or come', async () => {
  const failed = new Error('broken picture');
  const broken = () => {
    throw failed;
  };
  for (const isLate of [false, true]) {
    let left = 0;
    const leave = () => {
      left++;
    };
    const answer = new Http1Answer({ ...source, leave });
    const piece = Buffer.alloc(20_000);
    if (!isLate) answer.receive(piece);
    const reading = answer.read(broken);
    if (isLate) answer.receive(piece);
    await expect(reading).rejects.toBe(failed);
    expect(left).toBe(1);
  }
});

test('an answer that is read to its end is told as such, whether its end waits or comes', async () => {
  for (const isLate of [false, true]) {
    let ends = 0;
    const consumed = () => {
      ends++;
    };
    const answer = new Http1Answer({ ...source, consumed });
    if (!isLate) answer.finish();
    expect(ends).toBe(0);
    const reading = answer.read(() => true);
    if (isLate) answer.finish();
    expect(await reading).toBe(false);
    expect(ends).toBe(1);
  }
});

test('a connection is paused each time that its reader lags behind', async () => {
  using lent = new LentMemory();
  const told: string[] = [];
  const answer = new Http1Answer({
    ...source,
    pause: () => void told.push('paused'),
    resume: () => void told.push('resumed'),
  });
  for (let times = 1; times <= 2; times++) {
    for (let n = 0; n < 20; n++) answer.receive(Buffer.alloc(20_000));
    const reading = answer.read((piece) => piece.length > 1);
    answer.receive(Buffer.alloc(1));
    expect(await reading).toBe(true);
  }
  expect(told).toEqual(['paused', 'resumed', 'paused', 'resumed']);
  expect(lent.left).toEqual([]);
});
