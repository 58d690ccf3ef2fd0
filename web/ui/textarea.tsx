import type { Ref, TextareaHTMLAttributes } from 'react';
import { classes } from './classes.ts';
import { inputClass, useFieldAttributes } from './field.tsx';

export interface TextareaProps
  extends Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'onChange' | 'value' | 'rows'> {
  value: string;
  onChange?: (value: string) => void;
  /** It grows with its text from the first to the second number of lines, then scrolls. */
  lines?: readonly [number, number];
  ref?: Ref<HTMLTextAreaElement>;
}

const lineHeightPx = 22;
const paddingPx = 14;

export function Textarea({ onChange, lines = [3, 10], className, style, ...rest }: TextareaProps) {
  const [min, max] = lines;
  return (
    <textarea
      className={classes(inputClass, 'field-sizing-content resize-y py-1.5', className)}
      style={{
        minHeight: min * lineHeightPx + paddingPx,
        maxHeight: max * lineHeightPx + paddingPx,
        ...style,
      }}
      rows={min}
      // As its text is written: from right to left where that begins so.
      dir="auto"
      onChange={(event) => onChange?.(event.target.value)}
      {...useFieldAttributes()}
      {...rest}
    />
  );
}
