/** Changes by an administrator: after each, every page shows how things are now. */
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';

/** For buttons; a form calls `useAfterAdminChange` when it has sent its values. */
export function useAdminChange<Wish, Answer>(change: (wish: Wish) => Promise<Answer>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => refreshAdmin(queryClient),
  });
}

export function useAfterAdminChange(): () => Promise<void> {
  const queryClient = useQueryClient();
  return () => refreshAdmin(queryClient);
}

/** What is on the page is asked for again; the rest when it is next shown. */
async function refreshAdmin(queryClient: QueryClient): Promise<void> {
  await Promise.all(
    [['admin'], ['models'], ['bootstrap']].map((queryKey) =>
      queryClient.invalidateQueries({ queryKey }),
    ),
  );
}
