import { useText } from '../i18n/text.ts';
import { uiText } from '../i18n/ui-text.ts';
import { Skeleton, SkeletonRows } from '../ui/skeleton.tsx';

/** While the files of a page are loaded: its frame, and where its rows will be. */
export function PagePending() {
  const t = useText(uiText);
  return (
    <div role="status" aria-label={t.loading} className="min-w-0 flex-1">
      <div className="flex min-h-12 items-center border-b border-line px-5">
        <Skeleton className="h-5 w-40" />
      </div>
      <div className="p-5">
        <SkeletonRows />
      </div>
    </div>
  );
}
