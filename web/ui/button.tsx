import { type ButtonHTMLAttributes, type ReactNode, type Ref, useId } from 'react';
import { classes } from './classes.ts';
import { Tooltip } from './tooltip.tsx';

export interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled'> {
  look?: ButtonLook;
  size?: ButtonSize;
  icon?: ReactNode;
  /**
   * Why it cannot be used now; the button stays reachable and says so. Null while it can, for one that
   * sometimes cannot.
   */
  disabledReason?: string | null | undefined;
  /** Its work is under way: it stays where it is and cannot be used again. */
  busy?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

export type ButtonLook = 'primary' | 'secondary' | 'quiet' | 'danger';
export type ButtonSize = 'small' | 'normal' | 'large';

export function Button({
  look = 'secondary',
  size = 'normal',
  icon,
  busy = false,
  disabledReason,
  type = 'button',
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  const reasonId = useId();
  const isUnusable = !!disabledReason;
  const button = (
    <button
      // What cannot be used sends no form, and stays focusable so that everybody can learn why.
      type={isUnusable ? 'button' : type}
      className={classes(base, sizes[size], (isUnusable ? unusableLooks : looks)[look], className)}
      aria-busy={busy || undefined}
      aria-disabled={busy || isUnusable || undefined}
      {...(isUnusable ? { 'aria-describedby': reasonId } : {})}
      onClick={(event) => {
        // A second activation of what is under way, by pointer or key.
        if (busy || isUnusable) event.preventDefault();
        else onClick?.(event);
      }}
      {...rest}
    >
      {icon}
      {children}
    </button>
  );
  if (disabledReason === undefined) return button;
  // The same element whether it can be used or not: another one would lose the focus.
  return (
    <>
      <Tooltip text={disabledReason}>{button}</Tooltip>
      {isUnusable && (
        <span id={reasonId} hidden>
          {disabledReason}
        </span>
      )}
    </>
  );
}

/** Also for links that look like buttons. */
export function buttonClass(look: ButtonLook = 'secondary', size: ButtonSize = 'normal'): string {
  return classes(base, sizes[size], looks[look]);
}

const base =
  'inline-flex items-center justify-center gap-2 rounded-control border font-semibold whitespace-nowrap select-none fade aria-busy:opacity-70 [&>svg]:shrink-0';

const sizes: Readonly<Record<ButtonSize, string>> = {
  small: 'min-h-6 px-2 text-label',
  normal: 'min-h-8 px-3 text-body pointer-coarse:min-h-11 pointer-coarse:min-w-11',
  large: 'min-h-10 px-4 text-body pointer-coarse:min-h-11',
};

const looks: Readonly<Record<ButtonLook, string>> = {
  primary: 'border-transparent bg-ink text-on-ink not-aria-disabled:hover:bg-ink-hover',
  secondary:
    'border-line-strong bg-surface text-text not-aria-disabled:hover:bg-hover not-aria-disabled:active:bg-pressed',
  quiet:
    'border-transparent bg-transparent text-text not-aria-disabled:hover:bg-hover not-aria-disabled:active:bg-pressed',
  danger: 'border-transparent bg-bad text-on-bad not-aria-disabled:hover:opacity-90',
};

/** Faint, but read as easily as other text: what it says, and that it cannot be used, is for everybody. */
const unusableLooks: typeof looks = {
  primary: 'border-line bg-sunken text-text-3',
  secondary: 'border-line bg-surface text-text-3',
  quiet: 'border-transparent bg-transparent text-text-3',
  danger: 'border-line bg-sunken text-text-3',
};
