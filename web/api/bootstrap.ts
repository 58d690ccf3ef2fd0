import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import type { Bootstrap } from '../../shared/console/session.ts';
import { api } from './call-api.ts';

export type SignedInUser = NonNullable<Bootstrap['user']>;

/** Who is signed in, and everything a page needs before its first paint. */
export const bootstrapQuery = queryOptions({
  queryKey: ['bootstrap'],
  queryFn: ({ signal }) => api.get<Bootstrap>('/bootstrap', {}, signal),
  // Balance and running requests change by themselves.
  refetchOnWindowFocus: 'always',
});

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
