import { beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../../../../test/support/manual-clock.ts';
import { awakeLimits } from '../../../lib/sleep-awake.ts';
import { DoubtfulHandovers, doubtLimits } from './doubtful-handovers.ts';

interface Answer {
  name: string;
  hasLeft: boolean;
}

describe('an answer that was handed over a moment ago', () => {
  let clock: ManualClock;
  let doubts: DoubtfulHandovers<Answer>;
  /** Names of those that are in doubt no longer, and what came of them. */
  let over: string[];

  beforeEach(() => {
    clock = new ManualClock();
    over = [];
    doubts = new DoubtfulHandovers(clock, {
      idOf: ({ name }) => name,
      onOver: ({ name }) => void over.push(name),
    });
  });

  function handOver(name: string, bytes = 1): Answer {
    const answer = { name, hasLeft: false };
    const caller = { onPartial: () => null, hasLeft: () => answer.hasLeft };
    doubts.add(answer, caller, bytes);
    return answer;
  }

  /** What was told so far, once everything that was due had its turn. */
  async function told(): Promise<string[]> {
    await new Promise(setImmediate);
    return over;
  }

  it('is in doubt for its time', async () => {
    const answer = handOver('a');
    clock.advance(doubtLimits.ms - 1);
    expect(await told()).toEqual([]);
    expect(doubts.has(answer)).toBe(true);
    clock.advance(1);
    expect(await told()).toEqual(['a']);
    expect(doubts.has(answer)).toBe(false);
    handOver('b');
    clock.advance(doubtLimits.ms);
    expect(await told()).toEqual(['a', 'b']);
  });

  it('has its own time, however many come after it', async () => {
    handOver('a');
    clock.advance(doubtLimits.ms - 1);
    handOver('b');
    expect(clock.sleeping).toBe(1);
    clock.advance(1);
    expect(await told()).toEqual(['a']);
    clock.advance(doubtLimits.ms - 2);
    expect(await told()).toEqual(['a']);
    clock.advance(1);
    expect(await told()).toEqual(['a', 'b']);
    expect(clock.sleeping).toBe(0);
  });

  it('is in doubt for a moment more when its process stood still: who came meanwhile is read later', async () => {
    const answer = handOver('a');
    clock.advance(10 * doubtLimits.ms);
    expect(await told()).toEqual([]);
    answer.hasLeft = true;
    expect([...doubts.left()]).toEqual([answer]);
    clock.advance(awakeLimits.catchUpMs);
    expect(await told()).toEqual(['a']);
    expect(clock.sleeping).toBe(0);
  });

  it('is found while its connection has ended, and no longer than its time', async () => {
    const [a, b] = [handOver('a'), handOver('b')];
    expect([...doubts.left()]).toEqual([]);
    b.hasLeft = true;
    expect([...doubts.left()]).toEqual([b]);
    a.hasLeft = true;
    expect([...doubts.left()]).toEqual([a, b]);
    clock.advance(doubtLimits.ms);
    expect(await told()).toEqual(['a', 'b']);
    expect([...doubts.left()]).toEqual([]);
  });

  it('has its time anew when it is handed over once more, and is told of once', async () => {
    handOver('a');
    clock.advance(doubtLimits.ms - 1);
    handOver('a');
    clock.advance(1);
    expect(await told()).toEqual([]);
    clock.advance(doubtLimits.ms - 1);
    expect(await told()).toEqual(['a']);
  });

  it('is told of no more when somebody came for it', async () => {
    doubts.drop(handOver('a'));
    clock.advance(doubtLimits.ms);
    expect(await told()).toEqual([]);
  });

  it('gives way to later ones when they take too much memory', () => {
    const half = doubtLimits.bytesMax / 2;
    handOver('a', half);
    handOver('b', half);
    expect(over).toEqual([]);
    handOver('c');
    expect(over).toEqual(['a']);
  });

  it('is not in doubt when it takes more memory than all may', () => {
    expect(doubts.has(handOver('a', doubtLimits.bytesMax))).toBe(true);
    expect(doubts.has(handOver('b', doubtLimits.bytesMax + 1))).toBe(false);
  });

  it('is in doubt no longer when the service stops', () => {
    handOver('a');
    doubts.stop();
    expect(over).toEqual(['a']);
    expect(clock.sleeping).toBe(0);
    expect(doubts.has(handOver('b'))).toBe(false);
  });
});
