import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import type { adminUsersSchema } from '../../shared/console/admin-users.ts';
import { shownKeyEnding } from '../../shared/key-ending.ts';
import { api } from './call-api.ts';

interface Found {
  users: readonly { id: string; email: string; name: string }[];
  upstreams: readonly { id: string; name: string }[];
}

const shownMax = 5;
const charactersMin = 2;

/**
 * Users by address, name or an API key and upstreams by name, for those who may see them. What the server answers never
 * comes in front of what was shown before: users are in the order of their addresses.
 */
export function searchQuery(words: string, rights: readonly string[]) {
  return queryOptions({
    queryKey: ['palette', words],
    enabled: words.length >= charactersMin && rights.includes('admin.users'),
    // Until the server has answered, only what was found before and still fits: never somebody else.
    placeholderData: (before: Found | undefined, asked) =>
      before && words.includes(String(asked?.queryKey[1])) ? narrowed(before, words) : undefined,
    queryFn: async ({ signal }): Promise<Found> => {
      const [{ users }, { upstreams }] = await Promise.all([
        api.get<z.infer<typeof adminUsersSchema>>(
          '/admin/users',
          { q: shownKeyEnding(words) ?? words },
          signal,
        ),
        api.get<{ upstreams: Found['upstreams'] }>('/admin/upstreams', {}, signal),
      ]);
      return { users, upstreams: upstreams.filter(({ name }) => includesWords(name, words)) };
    },
    select: ({ users, upstreams }) => ({
      users: users.slice(0, shownMax),
      upstreams: upstreams.slice(0, shownMax),
    }),
  });
}

function narrowed({ users, upstreams }: Found, words: string): Found {
  return {
    users: users.filter((user) => [user.email, user.name].some((of) => includesWords(of, words))),
    upstreams: upstreams.filter(({ name }) => includesWords(name, words)),
  };
}

function includesWords(text: string, words: string): boolean {
  return text.toLowerCase().includes(words.toLowerCase());
}
