import { type ButtonHTMLAttributes, type ReactNode, type Ref, useId } from 'react';
import { classes } from './classes.ts';
import { Tooltip } from './tooltip.tsx';

export interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled'> {
  look?: ButtonLook;
  size?: ButtonSize;
  icon?: ReactNode;
  /** Why it cannot be used now; the button stays reachable and says so. */
  disabledReason?: string | null | undefined;
  /** Its work is under way: it stays where it is and cannot be used again. */
  busy?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

export type ButtonLook = 'primary' | 'secondary' | 'quiet' | 'danger';
export type ButtonSize = 'small' | 'normal' | 'large';

export function Button({ disabledReason, ...props }: ButtonProps) {
  if (!disabledReason) return <PlainButton {...props} />;
  return <UnusableButton {...props} reason={disabledReason} />;
}

function PlainButton({
  look = 'secondary',
  size = 'normal',
  icon,
  busy = false,
  type = 'button',
  className,
  children,
  onClick,
  ...rest
}: Omit<ButtonProps, 'disabledReason'>) {
  return (
    <button
      type={type}
      className={classes(buttonClass(look, size), className)}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={(event) => {
        // A second activation of what is under way, by pointer or key.
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
      {...rest}
    >
      {icon}
      {children}
    </button>
  );
}

/** Focusable, so that everybody can learn why; what it would do, it does not. */
function UnusableButton({
  reason,
  look = 'secondary',
  size = 'normal',
  icon,
  busy: _,
  className,
  children,
  type: __,
  onClick: ___,
  ...rest
}: Omit<ButtonProps, 'disabledReason'> & { reason: string }) {
  const reasonId = useId();
  return (
    <>
      <Tooltip text={reason}>
        <button
          {...rest}
          type="button"
          aria-disabled
          aria-describedby={reasonId}
          className={classes(buttonClass(look, size), 'opacity-50', className)}
        >
          {icon}
          {children}
        </button>
      </Tooltip>
      <span id={reasonId} hidden>
        {reason}
      </span>
    </>
  );
}

/** Also for links that look like buttons. */
export function buttonClass(look: ButtonLook = 'secondary', size: ButtonSize = 'normal'): string {
  return classes(base, sizes[size], looks[look]);
}

const base =
  'inline-flex items-center justify-center gap-2 rounded-control border font-semibold whitespace-nowrap select-none fade touch-target aria-busy:opacity-70 [&>svg]:shrink-0';

const sizes: Readonly<Record<ButtonSize, string>> = {
  small: 'min-h-6 px-2 text-label',
  normal: 'min-h-8 px-3 text-body',
  large: 'min-h-10 px-4 text-body',
};

const looks: Readonly<Record<ButtonLook, string>> = {
  primary: 'border-transparent bg-ink text-on-ink not-aria-disabled:hover:bg-ink-hover',
  secondary:
    'border-line-strong bg-surface text-text not-aria-disabled:hover:bg-hover not-aria-disabled:active:bg-pressed',
  quiet:
    'border-transparent bg-transparent text-text not-aria-disabled:hover:bg-hover not-aria-disabled:active:bg-pressed',
  danger: 'border-transparent bg-bad text-on-bad not-aria-disabled:hover:opacity-90',
};
