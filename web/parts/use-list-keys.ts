import { useUser } from '../api/bootstrap.ts';
import { useShortcuts } from '../lib/shortcuts.ts';
import { focusFirstRow } from '../ui/focus-first-row.ts';

/** Leads from anywhere on a page into its list, which then takes the keys itself. */
export function useListKeys(): void {
  const { preferences } = useUser();
  useShortcuts({ j: focusFirstRow }, preferences.shortcuts);
}
