import { type NavigateOptions, useLocation, useNavigate, useRouter } from '@tanstack/react-router';
import { useCallback } from 'react';

/**
 * Tells whether the user is still on the page that called this hook. To be asked before an answer of the service leads
 * to another page: the answer may be late, and must not take the user away from where they have gone meanwhile.
 */
export function useIsStillHere(): () => boolean {
  const router = useRouter();
  const here = useLocation({ select: ({ pathname }) => pathname });
  return useCallback(() => router.latestLocation.pathname === here, [router, here]);
}

/** Navigates as `useNavigate` does, unless the user has left the page that called this hook. */
export function useLeadOn(): (to: NavigateOptions) => Promise<void> {
  const navigate = useNavigate();
  const isStillHere = useIsStillHere();
  return useCallback(
    async (to) => {
      if (isStillHere()) await navigate(to);
    },
    [navigate, isStillHere],
  );
}
