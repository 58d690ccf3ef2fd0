/** One's own API keys. Secrets pass through here once, and are kept nowhere. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type {
  IssuedKeyView,
  KeyEditForm,
  KeyList,
  KeyView,
  NewKeyForm,
} from '../../shared/console/keys.ts';
import { api } from './call-api.ts';

/** @param zone whose days decide what was spent lately */
export function keyListQuery(zone: string, cursor?: string) {
  return queryOptions({
    queryKey: ['keys', 'list', zone, cursor ?? null],
    queryFn: ({ signal }) => api.get<KeyList>('/keys', { cursor, tz: zone }, signal),
    placeholderData: keepPreviousData,
  });
}

/** All that are not revoked, for choosing among them: a user has as many as fit into a few pages. */
export const allKeysQuery = queryOptions({
  queryKey: ['keys', 'all'],
  queryFn: async ({ signal }) => {
    const keys: KeyView[] = [];
    let cursor: string | undefined;
    do {
      const page: KeyList = await api.get<KeyList>('/keys', { cursor }, signal);
      keys.push(...page.items);
      cursor = page.older ?? undefined;
    } while (cursor !== undefined);
    return keys;
  },
});

export function keyQuery(id: string) {
  return queryOptions({
    queryKey: ['keys', 'one', id],
    queryFn: ({ signal }) => api.get<KeyView>(pathOf(id), {}, signal),
  });
}

export function issueKey(form: NewKeyForm): Promise<IssuedKeyView> {
  return api.post<IssuedKeyView>('/keys', form);
}

export function editKey(id: string, form: KeyEditForm): Promise<KeyView> {
  return api.patch<KeyView>(pathOf(id), form);
}

export function enableKey(id: string, enabled: boolean): Promise<KeyView> {
  return api.put<KeyView>(`${pathOf(id)}/enabled`, { enabled });
}

/** @param inPlaceOf how the present secret ends, where nobody has seen it */
export function rotateKey(
  id: string,
  { overlapHours, inPlaceOf }: { overlapHours: number; inPlaceOf: string | undefined },
): Promise<IssuedKeyView> {
  const wish = { overlap_hours: overlapHours, in_place_of: inPlaceOf };
  return api.post<IssuedKeyView>(`${pathOf(id)}/rotate`, wish);
}

/** As it is now, whatever was read before. */
export function readKey(id: string): Promise<KeyView> {
  return api.get<KeyView>(pathOf(id));
}

/** The key that was made under the reference, by a request whose answer got lost. */
export async function findKeyOf(reference: string): Promise<KeyView | undefined> {
  const { items } = await api.get<KeyList>('/keys');
  return items.find(({ id }) => id.endsWith(reference));
}

export async function revokeKey(id: string): Promise<void> {
  await api.delete(pathOf(id));
}

function pathOf(id: string): string {
  return `/keys/${encodeURIComponent(id)}`;
}
