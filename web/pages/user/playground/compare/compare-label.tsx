import { classes } from '../../../../ui/classes.ts';

/** Which of two pictures it is, on the picture itself. */
export function CompareLabel({
  side = 'left',
  children,
}: {
  side?: 'left' | 'right';
  children: string;
}) {
  return (
    <span
      className={classes(
        'pointer-events-none absolute bottom-2 rounded-small bg-ink px-1.5 text-label text-on-ink',
        side === 'left' ? 'left-2' : 'right-2',
      )}
    >
      {children}
    </span>
  );
}
