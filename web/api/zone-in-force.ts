import type { QueryClient } from '@tanstack/react-query';
import { browserZone } from '../i18n/formats.tsx';
import { bootstrapQuery } from './bootstrap.ts';

/** For what is asked before a page is there: the user's zone, else the browser's. */
export async function zoneInForce(queryClient: QueryClient): Promise<string> {
  const { user } = await queryClient.ensureQueryData(bootstrapQuery);
  return user?.preferences.zone ?? browserZone();
}
