import type { ReactNode } from 'react';
import { CopyButton } from './copy-button.tsx';

export interface CodeBlockProps {
  /** What Copy copies. */
  code: string;
  label: string;
  /** The code with its kinds marked; by default as it stands. */
  children?: ReactNode;
}

/** Code that scrolls within itself, with a button that copies it. */
export function CodeBlock({ code, label, children }: CodeBlockProps) {
  return (
    <figure className="flex min-w-0 items-start rounded-control border border-line bg-sunken">
      {/* It scrolls, so the keyboard must be able to get there. */}
      <pre
        tabIndex={0}
        aria-label={label}
        role="region"
        className="min-w-0 flex-1 overflow-x-auto p-3 text-label"
      >
        <code translate="no">{children ?? code}</code>
      </pre>
      <div className="p-2 pl-0 max-sm:hidden">
        <CopyButton text={code} isWide />
      </div>
      <div className="p-2 pl-0 sm:hidden">
        <CopyButton text={code} />
      </div>
    </figure>
  );
}
