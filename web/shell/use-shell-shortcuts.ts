import { useNavigate } from '@tanstack/react-router';
import { useUser } from '../api/bootstrap.ts';
import { type Shortcuts, useShortcuts } from '../lib/shortcuts.ts';
import { focusFirstFilter } from '../ui/focus-first-filter.ts';
import { navigationFor } from './navigation.ts';
import type { ShellActions } from './shell-actions.ts';

/** The keys that work on every page. */
export function useShellShortcuts({ openPalette, openShortcuts }: ShellActions): void {
  const { preferences, rights } = useUser();
  const navigate = useNavigate();
  const places = navigationFor(rights)
    .flatMap(({ items }) => items)
    .filter(({ key }) => key !== undefined)
    .map(({ key, to }) => [`g ${key}`, () => void navigate({ to: to.path })] as const);
  const shortcuts: Shortcuts = {
    'mod+k': openPalette,
    '?': openShortcuts,
    '/': focusFirstFilter,
    ...Object.fromEntries(places),
  };
  useShortcuts(shortcuts, preferences.shortcuts);
}
