import { expect, vi } from 'vitest';
import { pixelTurnsMax, resultTurns } from '../../server/lib/pictures/pixel-turns.ts';

/** What work on a result gives, which waits while as many as may be are worked on, and is done after them. */
export async function doneInTurn<T>(work: () => Promise<T>): Promise<T> {
  const others = Promise.withResolvers<void>();
  const running = Array.from({ length: pixelTurnsMax.results }, () =>
    resultTurns.take(() => others.promise),
  );
  const waiting = work();
  await vi.waitFor(() => expect(resultTurns.waiting).toBe(1));
  others.resolve();
  await Promise.all(running);
  return await waiting;
}
