import type { CSSProperties, ReactNode } from 'react';
import { classes } from '../ui/classes.ts';
import type { MatLook } from './use-mat-look.ts';

/** The achromatic surface that pictures lie on. Its size is what they are fitted to. */
export function Mat({
  look,
  isEmpty = false,
  children,
}: {
  look: MatLook;
  isEmpty?: boolean;
  children: ReactNode;
}) {
  return (
    <div
      data-testid="mat"
      {...(look === 'light' || look === 'dark' ? { 'data-theme': look } : {})}
      className={classes(
        'group/mat relative grid min-h-0 flex-1 place-items-center max-lg:h-[min(100vw,56dvh)] max-lg:flex-none overflow-hidden text-text [container-type:size] [--mat-margin:32px] max-sm:[--mat-margin:16px]',
        isEmpty && 'low:h-32',
        look === 'mid' ? 'bg-mat-mid' : 'bg-mat',
      )}
    >
      {children}
    </div>
  );
}

/** A place on the mat of the picture's shape: as large as fits, never larger than the picture is. */
export function Sheet({
  width,
  height,
  isTransparent = false,
  style,
  className,
  children,
}: {
  width: number;
  height: number;
  isTransparent?: boolean;
  style?: CSSProperties;
  className?: string;
  children?: ReactNode;
}) {
  const ratio = width / height;
  const fitting = `min(100cqw - 2 * var(--mat-margin), (100cqh - 2 * var(--mat-margin)) * ${ratio}, ${width}px)`;
  return (
    <div
      className={classes('relative', isTransparent && 'checkerboard', className)}
      style={{ width: fitting, aspectRatio: String(ratio), ...style }}
    >
      {children}
    </div>
  );
}
