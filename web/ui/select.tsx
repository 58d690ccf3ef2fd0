import { Select as Base } from '@base-ui/react/select';
import { Check, ChevronsUpDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { classes } from './classes.ts';
import { inputClass, useFieldAttributes, useFieldLabelId } from './field.tsx';
import { useFloatContainer } from './float-container.tsx';
import { icon } from './icon.ts';
import { menuItemClass, menuPopupClass } from './menu.tsx';

export interface SelectProps<T extends string> {
  value: T;
  onChange: (value: T) => void;
  choices: readonly Choice<T>[];
  name?: string;
  disabled?: boolean;
  className?: string;
}

export interface Choice<T extends string> {
  value: T;
  label: string;
  /** A second line in the list. */
  detail?: ReactNode;
  /** Why it cannot be chosen. */
  disabledReason?: string | null;
}

const gap = 4;

/** One of several, in a list that opens. For two to four, use Segmented. */
export function Select<T extends string>({
  value,
  onChange,
  choices,
  name,
  disabled,
  className,
}: SelectProps<T>) {
  const labelId = useFieldLabelId();
  const { id, ...attributes } = useFieldAttributes();
  return (
    <Base.Root
      items={choices}
      value={value}
      {...(name ? { name } : {})}
      {...(disabled ? { disabled } : {})}
      {...(id ? { id } : {})}
      onValueChange={(chosen) => {
        if (chosen !== null) onChange(chosen);
      }}
    >
      <Base.Trigger
        className={classes(
          inputClass,
          'pointer-coarse:min-h-11 flex min-h-8 items-center justify-between gap-2 text-left',
          className,
        )}
        {...attributes}
        {...(labelId ? { 'aria-labelledby': labelId } : {})}
      >
        <Base.Value className="min-w-0 truncate" />
        <Base.Icon className="text-text-3">
          <ChevronsUpDown {...icon} />
        </Base.Icon>
      </Base.Trigger>
      <Base.Portal {...useFloatContainer()}>
        <Base.Positioner
          positionMethod="fixed"
          sideOffset={gap}
          alignItemWithTrigger={false}
          className="z-50"
        >
          <Base.Popup className={classes(menuPopupClass, 'min-w-[var(--anchor-width)]')}>
            {choices.map((choice) => (
              <SelectItem key={choice.value} choice={choice} />
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

function SelectItem<T extends string>({ choice }: { choice: Choice<T> }) {
  const { value, label, detail, disabledReason } = choice;
  return (
    <Base.Item value={value} disabled={!!disabledReason} className={menuItemClass}>
      <span className="grid size-4 shrink-0 place-items-center">
        <Base.ItemIndicator>
          <Check {...icon} />
        </Base.ItemIndicator>
      </span>
      <span className="min-w-0">
        <Base.ItemText>{label}</Base.ItemText>
        {(disabledReason ?? detail) && (
          <span className="block text-label text-text-2">{disabledReason ?? detail}</span>
        )}
      </span>
    </Base.Item>
  );
}
