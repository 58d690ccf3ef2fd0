import type { ReactNode } from 'react';

/** What came of an action, in its place, and read out: "Saved". */
export function ResultLine({ children }: { children?: ReactNode }) {
  return (
    <span role="status" className="text-label text-text-2">
      {children}
    </span>
  );
}
