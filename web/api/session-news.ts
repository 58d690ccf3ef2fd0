/**
 * Tells the other windows of this browser who signs in or out in this one. They share the cookie, so from then on their
 * requests would be sent as the new user, or as nobody.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { openBroadcast } from '../lib/broadcast.ts';
import { bootstrapQuery, useUser } from './bootstrap.ts';
import { setPageUser } from './page-user.ts';
import { openGate } from './session-gate.ts';

interface SessionNews {
  /** Null for nobody. */
  userId: string | null;
}

const others = openBroadcast<SessionNews>('session', 'anybody');

export function tellSession(userId: string | null): void {
  others.tell({ userId });
}

/** For the frame of the pages behind the sign-in: every way of signing in ends there. */
export function useSessionNews(): void {
  const { id } = useUser();
  const queryClient = useQueryClient();
  useEffect(() => {
    setPageUser(id);
    tellSession(id);
    return others.listen(({ userId }) => {
      // What is asked here was answered there.
      if (userId === id) openGate(true);
      void queryClient.invalidateQueries({ queryKey: bootstrapQuery.queryKey });
    });
  }, [id, queryClient]);
}
