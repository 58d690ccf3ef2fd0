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
