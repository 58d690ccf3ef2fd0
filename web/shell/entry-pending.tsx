import { useText } from '../i18n/text.ts';
import { uiText } from '../i18n/ui-text.ts';
import { Skeleton } from '../ui/skeleton.tsx';

/** While the files of a page before the sign-in are loaded: its sheet on the mat. */
export function EntryPending() {
  const t = useText(uiText);
  return (
    <div
      role="status"
      aria-label={t.loading}
      className="flex min-h-dvh bg-mat max-sm:bg-surface sm:items-center sm:justify-center"
    >
      <div className="grid w-full gap-6 border border-line bg-surface px-10 py-9 max-sm:border-0 max-sm:px-5 max-sm:py-6 sm:max-w-105">
        <Skeleton className="h-5 w-24" />
        <Skeleton className="h-6 w-40" />
        <Skeleton className="h-40" />
      </div>
    </div>
  );
}
