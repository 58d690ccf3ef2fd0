import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { classes } from './classes.ts';
import { Tooltip } from './tooltip.tsx';

export interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled'> {
  /** Its accessible name, and its tooltip. */
  label: string;
  icon: ReactNode;
  size?: 'small' | 'normal';
  ref?: Ref<HTMLButtonElement>;
}

/** A button with a picture only. Where there is room for a word, use a Button. */
export function IconButton({ label, icon, size = 'normal', className, ...rest }: IconButtonProps) {
  return (
    <Tooltip text={label}>
      <button
        type="button"
        aria-label={label}
        className={classes(
          'inline-grid shrink-0 place-items-center rounded-control text-text-2 fade not-aria-disabled:hover:bg-hover not-aria-disabled:hover:text-text aria-disabled:opacity-50',
          size === 'small' ? 'size-6' : 'size-8 pointer-coarse:size-11',
          className,
        )}
        {...rest}
      >
        {icon}
      </button>
    </Tooltip>
  );
}
