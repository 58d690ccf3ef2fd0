import { type NavigateOptions, useLocation, useNavigate, useRouter } from '@tanstack/react-router';
import { useCallback } from 'react';

/**
 * Whether the page is still the one on which this was rendered. What follows an answer of the service asks first:
 * an answer may be late, and nobody is to be taken away from where they went meanwhile.
 */
export function useIsStillHere(): () => boolean {
  const router = useRouter();
  const here = useLocation({ select: ({ pathname }) => pathname });
  return useCallback(() => router.latestLocation.pathname === here, [router, here]);
}

/** Leads on from this page, after whatever was waited for; does nothing once it was left. */
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
