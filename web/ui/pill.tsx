import type { ReactNode } from 'react';
import { classes } from './classes.ts';
import type { Tone } from './notice.tsx';

export interface PillProps {
  tone?: Tone;
  children: ReactNode;
}

/** A state in a word; the colour only repeats it. */
export function Pill({ tone = 'neutral', children }: PillProps) {
  return (
    <span
      className={classes(
        'inline-flex max-w-full items-center rounded-small px-1.5 text-label whitespace-nowrap',
        looks[tone],
      )}
    >
      {children}
    </span>
  );
}

const looks: Readonly<Record<Tone, string>> = {
  neutral: 'bg-pressed text-text-2',
  accent: 'bg-accent-soft text-accent',
  ok: 'bg-ok-soft text-ok',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
};
