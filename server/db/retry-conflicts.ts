import { isConflict } from './database-error.ts';

const triesMax = 10;

/** Runs `work` again, whole, when another transaction was in its way and it was undone. */
export async function retryConflicts<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!isConflict(error) || tries >= triesMax) throw error;
    }
  }
}
