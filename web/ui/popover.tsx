import { Popover as Base } from '@base-ui/react/popover';
import type { ReactElement, ReactNode } from 'react';
import { useFloatContainer } from './float-container.tsx';

export interface PopoverProps {
  trigger: ReactElement<Record<string, unknown>>;
  title?: ReactNode;
  children: ReactNode;
  align?: 'start' | 'center' | 'end';
}

const gap = 6;

/** More about something, on a click: a breakdown, a few settings. */
export function Popover({ trigger, title, children, align = 'start' }: PopoverProps) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal {...useFloatContainer()}>
        <Base.Positioner positionMethod="fixed" align={align} sideOffset={gap} className="z-50">
          <Base.Popup className="appear grid max-h-[var(--available-height)] w-[min(320px,calc(100vw-32px))] gap-2 overflow-y-auto rounded-control border border-line bg-surface p-4 text-text shadow-float">
            {title && <Base.Title className="text-body">{title}</Base.Title>}
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
