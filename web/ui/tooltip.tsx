import { Tooltip as Base } from '@base-ui/react/tooltip';
import type { ReactElement } from 'react';
import { useFloatContainer } from './float-container.tsx';

export interface TooltipProps {
  /** Null while there is nothing to explain. */
  text: string | null;
  /** What it explains: one element that can take the focus. */
  children: ReactElement<Record<string, unknown>>;
  side?: 'top' | 'bottom' | 'left' | 'right';
}

const gap = 6;

/** A few words about a control, on hover and focus. Never the only place of what matters. */
export function Tooltip({ text, children, side = 'top' }: TooltipProps) {
  return (
    <Base.Root
      disabled={text === null}
      onOpenChange={(_isOpen, details) => {
        // It closes with what it stands on: a dialog whose button has the focus is left by one Escape.
        if (details.reason === 'escape-key') details.allowPropagation();
      }}
    >
      <Base.Trigger render={children} />
      <Base.Portal {...useFloatContainer()}>
        <Base.Positioner positionMethod="fixed" side={side} sideOffset={gap} className="z-50">
          <Base.Popup className="appear max-w-72 rounded-small bg-ink px-2 py-1 text-label text-on-ink shadow-float">
            {text}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
