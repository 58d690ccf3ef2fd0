import { queryOptions } from '@tanstack/react-query';
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
  return queryOptions<Found>({
    queryKey: ['palette', words],
    enabled: words.length >= charactersMin && rights.includes('admin.users'),
    // Until the server has answered, only what was found before and still fits: never somebody else.
    placeholderData: (before) =>
      before && words.length >= charactersMin ? fitting(before, words) : nothing,
    queryFn: async ({ signal }) => {
      const [users, upstreams] = await Promise.all([
        api.get<z.infer<typeof adminUsersSchema>>('/admin/users', { q: words }, signal),
        api.get<{ upstreams: Found['upstreams'] }>('/admin/upstreams', {}, signal),
      ]);
      return {
        users: users.users.slice(0, shownMax),
        upstreams: upstreams.upstreams
          .filter(({ name }) => includesWords(name, words))
          .slice(0, shownMax),
      };
    },
  });
}

function fitting({ users, upstreams }: Found, words: string): Found {
  return {
    users: users.filter(({ email, name }) => includesWords(`${email} ${name}`, words)),
    upstreams: upstreams.filter(({ name }) => includesWords(name, words)),
  };
}

function includesWords(text: string, words: string): boolean {
  return text.toLowerCase().includes(words.toLowerCase());
}
