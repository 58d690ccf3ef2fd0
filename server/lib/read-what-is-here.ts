import { setImmediate as afterThisTurn } from 'node:timers/promises';

/**
 * Resolves when all is read that the system has for this process by now. A process that has stood still reads what came
 * meanwhile over several connections in any order; what it reads first may be what was sent last.
 */
export async function readWhatIsHere(): Promise<void> {
  // The rest of the turn under way, and a whole one.
  await afterThisTurn();
  await afterThisTurn();
}
