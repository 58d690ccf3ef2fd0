import { useState } from 'react';
import { useFormats } from '../i18n/formats.tsx';
import { inputClass, useFieldAttributes } from './field.tsx';

export interface MoneyInputProps {
  /** A decimal as typed, such as `0.04`: `parseAmount` of `shared/money.ts` says whether it is one. */
  value: string;
  onChange: (value: string) => void;
  /** Behind the amount, such as "per request". */
  unit?: string;
  name?: string;
  placeholder?: string;
  disabled?: boolean;
}

/** An amount in the installation's currency, with its code in front and its unit behind. */
export function MoneyInput({ value, onChange, unit, ...rest }: MoneyInputProps) {
  const { currency } = useFormats();
  const [typed, setTyped] = useState(value);
  const attributes = useFieldAttributes();
  return (
    <div
      className={`${inputClass} pointer-coarse:min-h-11 flex min-h-8 items-center gap-2 focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-accent`}
      data-invalid={attributes['aria-invalid']}
    >
      <span className="text-label text-text-3" translate="no">
        {currency}
      </span>
      <input
        type="text"
        inputMode="decimal"
        autoComplete="off"
        spellCheck={false}
        className="tabular min-h-7 min-w-0 flex-1 bg-transparent text-right outline-none"
        // As typed, for the digits behind a comma say what it stands for.
        value={withPoint(typed) === value ? typed : value}
        onChange={(event) => {
          setTyped(event.target.value);
          onChange(withPoint(event.target.value));
        }}
        {...attributes}
        {...rest}
      />
      {unit && <span className="text-label whitespace-nowrap text-text-3">{unit}</span>}
    </div>
  );
}

/** Who types a comma means the decimal point, or thousands: `1,000` stays as it is, which is no amount. */
function withPoint(text: string): string {
  return /^\s*-?[1-9]\d{0,2}(,\d{3})+\s*$/.test(text) ? text : text.replace(',', '.');
}
