import type { ReactNode } from 'react';

export interface EmptyStateProps {
  /** One sentence on what will appear here, or that nothing matches. */
  title: ReactNode;
  children?: ReactNode;
  /** The one action that makes it appear. */
  action?: ReactNode;
}

export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <div className="grid justify-items-center gap-2 rounded-control border border-dashed border-line px-4 py-12 text-center text-text-2">
      <p className="max-w-[52ch] text-text">{title}</p>
      {children && <div className="max-w-[52ch] text-label">{children}</div>}
      {action && <div className="flex flex-wrap justify-center gap-2 pt-2">{action}</div>}
    </div>
  );
}
