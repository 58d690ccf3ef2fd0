import type { OpenedSession } from '../../../flows/sign-in/open-session.ts';
import { deleteSession } from '../../../identity/session-store.ts';
import type { ConsoleDeps } from '../console-deps.ts';
import type { Viewer } from '../console-route.ts';
import { setSessionCookie } from '../viewer.ts';
import type { CookieCall } from './cookies.ts';

/** Gives a browser its new session; the one that it may have had ends. */
export async function enter(
  call: CookieCall & { viewer: Viewer | null },
  { secret }: OpenedSession,
  deps: ConsoleDeps,
): Promise<void> {
  const { viewer } = call;
  if (viewer?.sessionId) {
    const { sessionId: id, userId } = viewer;
    await deps.database.transaction((trx) => deleteSession(trx, { id, userId }));
  }
  setSessionCookie(call, secret, deps);
}
