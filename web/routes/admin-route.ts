import type { QueryClient } from '@tanstack/react-query';
import type { AnyRoute } from '@tanstack/react-router';
import { bootstrapQuery } from '../api/bootstrap.ts';
import { adminCommonText } from '../i18n/admin-common-text.ts';
import type { Text } from '../i18n/text.ts';
import { pageRoute } from './page-route.ts';

type Page<S> = Parameters<typeof pageRoute<S>>[1];

interface AdminPage<S> extends Omit<Page<S>, 'text'> {
  right: string;
  /** Besides the words that all pages of the administration share. */
  texts: readonly Text<object>[];
}

/** A page of the administration: whoever lacks its right is not let ask for what is on it either. */
export function adminRoute<S = object>(
  parent: () => AnyRoute,
  { texts, prefetch, ...page }: AdminPage<S>,
): AnyRoute {
  const all = [adminCommonText, ...texts];
  return pageRoute<S>(parent, {
    ...page,
    text: { preload: () => Promise.all(all.map((text) => text.preload())) },
    ...(prefetch && {
      prefetch: async (asked) => {
        if (await hasRight(asked.queryClient, page.right)) await prefetch(asked);
      },
    }),
  });
}

async function hasRight(queryClient: QueryClient, right: string): Promise<boolean> {
  const { user } = await queryClient.ensureQueryData(bootstrapQuery);
  return user?.rights.includes(right) ?? false;
}
