import { classes } from './classes.ts';

/** The place of something that is being loaded. It does not move, and says nothing. */
export function Skeleton({ className }: { className?: string }) {
  // By the mark, tests know that a page is not there yet.
  return (
    <div
      data-skeleton
      aria-hidden
      className={classes('rounded-small bg-pressed', className ?? 'h-4')}
    />
  );
}

/** The rows of a table to be. */
export function SkeletonRows({ count = 8 }: { count?: number }) {
  return (
    <div aria-hidden className="grid">
      {Array.from({ length: count }, (_, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- nothing but places
        <div key={index} className="flex gap-6 border-b border-line px-3 py-2.5">
          <Skeleton className="h-4 w-32" />
          <Skeleton className="h-4 w-48 max-sm:hidden" />
          <Skeleton className="ml-auto h-4 w-16" />
        </div>
      ))}
    </div>
  );
}
