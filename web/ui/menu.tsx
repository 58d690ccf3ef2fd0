import { Menu as Base } from '@base-ui/react/menu';
import type { ReactElement, ReactNode } from 'react';
import { classes } from './classes.ts';
import { useFloatContainer } from './float-container.tsx';

export interface MenuProps {
  /** The button that opens it. */
  trigger: ReactElement<Record<string, unknown>>;
  items: readonly MenuItem[];
  align?: 'start' | 'end';
  side?: 'top' | 'bottom';
}

export type MenuItem =
  | {
      kind?: 'item';
      label: ReactNode;
      icon?: ReactNode;
      onSelect: () => void;
      isDanger?: boolean;
      /** Why it cannot be used now. */
      disabledReason?: string | null;
    }
  | { kind: 'separator' };

const gap = 4;

export function Menu({ trigger, items, align = 'end', side = 'bottom' }: MenuProps) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal {...useFloatContainer()}>
        <Base.Positioner
          positionMethod="fixed"
          align={align}
          side={side}
          sideOffset={gap}
          className="z-50"
        >
          <Base.Popup className={menuPopupClass}>
            {items.map((item, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- the items of a menu are fixed
              <MenuEntry key={index} item={item} />
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

function MenuEntry({ item }: { item: MenuItem }) {
  if (item.kind === 'separator') return <Base.Separator className="my-1 h-px bg-line" />;
  const { label, icon, onSelect, isDanger, disabledReason } = item;
  return (
    <Base.Item
      disabled={!!disabledReason}
      onClick={onSelect}
      className={classes(menuItemClass, isDanger && 'text-bad')}
    >
      {icon}
      <span className="min-w-0">
        {label}
        {disabledReason && <span className="block text-label">{disabledReason}</span>}
      </span>
    </Base.Item>
  );
}

/** What floats and holds choices. */
export const menuPopupClass =
  'appear max-h-[var(--available-height)] min-w-40 max-w-80 overflow-y-auto rounded-control border border-line bg-surface py-1 text-text shadow-float outline-none';

export const menuItemClass =
  'flex min-h-8 cursor-default items-center gap-2 px-3 py-1 text-body outline-none select-none data-highlighted:bg-hover data-disabled:text-text-3 pointer-coarse:min-h-11';
