import { classes } from '../ui/classes.ts';

const corners = [
  'top-0 left-0 border-t border-l',
  'top-0 right-0 border-t border-r',
  'bottom-0 left-0 border-b border-l',
  'right-0 bottom-0 border-r border-b',
] as const;

/** Marks where a picture will lie, like the corners that hold a print. */
export function Corners() {
  return corners.map((corner) => (
    <span
      key={corner}
      aria-hidden
      className={classes('pointer-events-none absolute size-4 border-line-strong', corner)}
    />
  ));
}
