import { classes } from './classes.ts';

export interface MeterProps {
  /** Its accessible name. */
  label: string;
  /** Of 1; null as long as nobody knows. */
  share: number | null;
  /** Close to its end. */
  isFull?: boolean;
}

/** How much of something is used or done. */
export function Meter({ label, share, isFull = false }: MeterProps) {
  return (
    <progress
      aria-label={label}
      max={1}
      {...(share === null ? {} : { value: share })}
      className={classes(
        'block h-1.5 w-full appearance-none overflow-hidden rounded-small border-0 bg-pressed',
        '[&::-webkit-progress-bar]:bg-pressed',
        isFull
          ? '[&::-moz-progress-bar]:bg-warn [&::-webkit-progress-value]:bg-warn'
          : '[&::-moz-progress-bar]:bg-ink [&::-webkit-progress-value]:bg-ink',
      )}
    />
  );
}
