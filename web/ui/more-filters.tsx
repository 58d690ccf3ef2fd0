import { SlidersHorizontal } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import { classes } from './classes.ts';
import { icon } from './icon.ts';

/** Filters that phones show on demand; chips tell meanwhile what is set. */
export function MoreFilters({ label, children }: { label: string; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        className="sm:hidden"
        icon={<SlidersHorizontal {...icon} />}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {label}
      </Button>
      <div className={classes('contents', !isOpen && 'max-sm:hidden')}>{children}</div>
    </>
  );
}
