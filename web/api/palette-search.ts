import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import type { adminUsersSchema } from '../../shared/console/admin-users.ts';
import { api } from './call-api.ts';

interface Found {
  users: readonly { id: string; email: string; name: string }[];
  upstreams: readonly { id: string; name: string }[];
}

const nothing: Found = { users: [], upstreams: [] };
const shownMax = 5;
const charactersMin = 2;

/** Users by address or name and upstreams by name, for those who may see them. */
export function searchQuery(words: string, rights: readonly string[]) {
  return queryOptions({
    queryKey: ['palette', words],
    enabled: words.length >= charactersMin && rights.includes('admin.users'),
    placeholderData: words.length >= charactersMin ? keepPreviousData : nothing,
    queryFn: async ({ signal }): Promise<Found> => {
      const [users, upstreams] = await Promise.all([
        api.get<z.infer<typeof adminUsersSchema>>('/admin/users', { q: words }, signal),
        api.get<{ upstreams: Found['upstreams'] }>('/admin/upstreams', {}, signal),
      ]);
      const isNamed = ({ name }: { name: string }) =>
        name.toLowerCase().includes(words.toLowerCase());
      return {
        users: users.users.slice(0, shownMax),
        upstreams: upstreams.upstreams.filter(isNamed).slice(0, shownMax),
      };
    },
  });
}
