import { queryOptions } from '@tanstack/react-query';
import type { SettingView } from '../../shared/console/admin-settings.ts';
import { api } from './call-api.ts';
import { streamEvents } from './event-stream.ts';

export type SettingValues = Readonly<Record<string, string | number>>;

export const settingsQuery = queryOptions({
  queryKey: ['admin', 'settings'],
  queryFn: async ({ signal }) =>
    (await api.get<{ settings: SettingView[] }>('/admin/settings', {}, signal)).settings,
});

/** All of the section or none. */
export async function changeSettings(
  section: string,
  values: SettingValues,
): Promise<readonly SettingView[]> {
  const path = `/admin/settings/${section}`;
  return (await api.patch<{ settings: SettingView[] }>(path, { values })).settings;
}

interface StreamTestEvent {
  type: 'begin' | 'end';
  elapsed_ms: number;
}

/** Holds a stream open as long as the slowest pictures take; true when it reached its end. */
export async function holdStreamOpen(seconds: number, signal: AbortSignal): Promise<boolean> {
  const call = { method: 'GET', path: '/admin/stream-test', query: { seconds }, signal } as const;
  for await (const { type } of streamEvents<StreamTestEvent>(call)) {
    if (type === 'end') return true;
  }
  return false;
}
