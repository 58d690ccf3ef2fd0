import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import type { Bootstrap } from '../../shared/console/session.ts';
import { ApiError } from './api-error.ts';
import { api } from './call-api.ts';
import { canAskAtGate, waitAtGate } from './session-gate.ts';

export type SignedInUser = NonNullable<Bootstrap['user']>;

/** Who is signed in, and everything a page needs before its first paint. */
export const bootstrapQuery = queryOptions({
  queryKey: ['bootstrap'],
  queryFn: async ({ signal, client, queryKey }) => {
    const found = await readBootstrap(signal);
    const before = client.getQueryData<Bootstrap>(queryKey)?.user;
    if (!before || found.user?.id === before.id || !canAskAtGate()) return found;
    // This answer comes without an error, but what is on the page belongs to whoever was signed in.
    if (await waitAtGate('sign_in')) return readBootstrap(signal);
    throw new ApiError({ code: 'unauthorized', message: 'The session has ended.' });
  },
  // Balance and running requests change by themselves.
  refetchOnWindowFocus: 'always',
});

/** Whoever it is now. */
export function readBootstrap(signal?: AbortSignal): Promise<Bootstrap> {
  return api.get<Bootstrap>('/bootstrap', {}, signal);
}

/** Loaded by the router before any page. */
export function useBootstrap(): Bootstrap {
  return useSuspenseQuery(bootstrapQuery).data;
}

/** On the pages behind the sign-in. */
export function useUser(): SignedInUser {
  const { user } = useBootstrap();
  if (!user) throw new Error('nobody is signed in');
  return user;
}
