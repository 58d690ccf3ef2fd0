import type { InputHTMLAttributes } from 'react';
import { useFieldAttributes } from './field.tsx';

export interface SliderProps
  extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value' | 'type'> {
  value: number;
  onChange: (value: number) => void;
  min: number;
  max: number;
  step?: number;
}

/** The browser's own: a click on the track sets it, arrows and Page keys move it. */
export function Slider({ onChange, className, ...rest }: SliderProps) {
  return (
    <input
      type="range"
      className={`slider w-full ${className ?? ''}`}
      onChange={(event) => onChange(event.target.valueAsNumber)}
      {...useFieldAttributes()}
      {...rest}
    />
  );
}
