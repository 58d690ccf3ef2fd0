import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { classes } from './classes.ts';
import { icon } from './icon.ts';
import { useFocusInPlace } from './use-focus-in-place.ts';

export type Tone = 'neutral' | 'accent' | 'ok' | 'warn' | 'bad';

export interface NoticeProps {
  tone?: Exclude<Tone, 'neutral'>;
  title?: ReactNode;
  /** Buttons or links that mend it. */
  actions?: ReactNode;
  children?: ReactNode;
}

/** Something to know, in its place on the page. What is bad is announced at once. */
export function Notice({ tone = 'accent', title, actions, children }: NoticeProps) {
  const Picture = pictures[tone];
  const element = useFocusInPlace<HTMLDivElement>();
  return (
    <div
      ref={element}
      role={tone === 'bad' ? 'alert' : undefined}
      className={classes('flex gap-2.5 rounded-control px-3 py-2.5 text-label', looks[tone])}
    >
      <Picture {...icon} className="mt-px shrink-0" />
      <div className="grid min-w-0 flex-1 gap-1 text-text">
        {title && <p className="font-semibold">{title}</p>}
        {children}
        {actions && <div className="flex flex-wrap gap-2 pt-1">{actions}</div>}
      </div>
    </div>
  );
}

const pictures = { accent: Info, ok: CircleCheck, warn: TriangleAlert, bad: CircleAlert } as const;

const looks = {
  accent: 'bg-accent-soft text-accent',
  ok: 'bg-ok-soft text-ok',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
} as const;
