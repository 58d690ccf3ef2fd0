import { useRef, useState } from 'react';
import { useText } from '../i18n/text.ts';
import { uiText } from '../i18n/ui-text.ts';
import { Field } from './field.tsx';
import { Select } from './select.tsx';
import { TextInput } from './text-input.tsx';

/** Days by name, which stay relative in a shared link, or the first and the last day. */
export interface RangeChoice {
  range?: RangePreset | undefined;
  /** `2025-11-14` */
  from?: string | undefined;
  to?: string | undefined;
}

const presets = ['today', 'yesterday', '7d', '30d', 'this_month', 'last_month'] as const;
export type RangePreset = (typeof presets)[number];

export interface DateRangeProps {
  value: RangeChoice;
  /** What is in force when the value names nothing. */
  fallback: RangePreset;
  /** The days in force: what Custom begins with. */
  days: { from: string; to: string };
  onChange: (value: RangeChoice) => void;
}

/** Presets and two of the browser's own date fields. */
export function DateRange({ value, fallback, days, onChange }: DateRangeProps) {
  const t = useText(uiText);
  const isCustom = value.from !== undefined;
  const custom = { from: value.from ?? days.from, to: value.to ?? days.to };
  return (
    <>
      <Field label={t.range} className="w-36">
        <Select
          value={isCustom ? 'custom' : (value.range ?? fallback)}
          choices={[...presets, 'custom' as const].map((each) => ({
            value: each,
            label: t.presets[each],
          }))}
          onChange={(chosen) =>
            onChange(
              chosen === 'custom'
                ? { range: undefined, ...custom }
                : { range: chosen, from: undefined, to: undefined },
            )
          }
        />
      </Field>
      {isCustom && (
        <>
          <Day
            label={t.from}
            value={custom.from}
            max={custom.to}
            onChange={(from) => onChange({ ...custom, from })}
          />
          <Day
            label={t.to}
            value={custom.to}
            min={custom.from}
            onChange={(to) => onChange({ ...custom, to })}
          />
        </>
      )}
    </>
  );
}

function Day({
  label,
  value,
  onChange,
  ...limits
}: {
  label: string;
  value: string;
  min?: string;
  max?: string;
  onChange: (day: string) => void;
}) {
  // Every digit makes a date of its own; asked for is the one that was meant.
  const [typed, setTyped] = useState<string | null>(null);
  const isTyping = useRef(false);
  const take = (day: string) => {
    isTyping.current = false;
    setTyped(null);
    if (day !== '' && day !== value) onChange(day);
  };
  return (
    <Field label={label} className="w-36">
      <TextInput
        type="date"
        value={typed ?? value}
        {...limits}
        onKeyDown={({ key, currentTarget }) => {
          if (key === 'Enter') take(currentTarget.value);
          else if (key !== 'Tab') isTyping.current = true;
        }}
        // In the browser's calendar a day is chosen at once.
        onPointerDown={() => {
          isTyping.current = false;
        }}
        onBlur={(event) => take(event.target.value)}
        onChange={(day) => {
          // Empty while there is no whole date.
          if (isTyping.current) setTyped(day === '' ? typed : day);
          else take(day);
        }}
      />
    </Field>
  );
}
