import { deleteOtherSessions, deleteSession } from '../../identity/session-store.ts';
import { ServiceError } from '../../lib/service-error.ts';
import { adminChange, ownChange } from '../admin-change.ts';
import type { SignInDeps } from './sign-in-by-password.ts';

/** Signs one browser of a user out. */
export function endSession(
  deps: SignInDeps,
  { userId, id }: { userId: string; id: string },
): Promise<void> {
  return adminChange(ownChange(deps, userId), async (trx) => {
    if (!(await deleteSession(trx, { id, userId }))) {
      throw new ServiceError('not_found', 'There is no such session.');
    }
    const detail = { id };
    const entry = { action: 'user.end_session', subject: userId, detail, topic: null };
    return { result: undefined, entry };
  });
}

/** Signs every browser of a user out, but the one that asks where it is named; answers how many. */
export function endSessions(
  deps: SignInDeps,
  { userId, keepId }: { userId: string; keepId: string | null },
): Promise<number> {
  return adminChange(ownChange(deps, userId), async (trx) => {
    const ended = await deleteOtherSessions(trx, { userId, keepId });
    if (ended === 0) return { result: 0, entry: null };
    const detail = { sessions: ended };
    const entry = { action: 'user.end_sessions', subject: userId, detail, topic: null };
    return { result: ended, entry };
  });
}
