import { playgroundText } from '../../../../i18n/playground-text.ts';
import { useText } from '../../../../i18n/text.ts';
import type { Job } from '../../../../jobs/job.ts';
import { classes } from '../../../../ui/classes.ts';

/** How many of the previews have come. */
export function PreviewDots({ job }: { job: Job }) {
  const t = useText(playgroundText);
  const count = job.order.partialImages;
  const shown = job.preview?.number ?? 0;
  if (count === 0) return null;
  return (
    <span role="img" aria-label={t.previewDots(shown, count)} className="flex gap-1">
      {Array.from({ length: count }, (_, index) => (
        <span
          // oxlint-disable-next-line react/no-array-index-key -- dots are their places
          key={index}
          className={classes(
            'size-2 rounded-full border border-accent',
            index < shown && 'bg-accent',
          )}
        />
      ))}
    </span>
  );
}
