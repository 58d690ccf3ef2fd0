import type { InputHTMLAttributes, ReactNode, Ref } from 'react';
import { classes } from './classes.ts';
import { inputClass, useFieldAttributes } from './field.tsx';

export interface TextInputProps
  extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value' | 'prefix'> {
  value: string;
  onChange?: ((value: string) => void) | undefined;
  /** For what people compare letter by letter: keys, trace IDs, addresses. */
  mono?: boolean;
  /** A control at its end, such as Show. */
  end?: ReactNode;
  ref?: Ref<HTMLInputElement>;
}

export function TextInput({
  onChange,
  mono = false,
  end,
  className,
  type = 'text',
  ...rest
}: TextInputProps) {
  const input = (
    <input
      type={type}
      className={classes(
        inputClass,
        'min-h-8 pointer-coarse:min-h-11',
        mono && 'font-mono',
        !!end && 'pr-20',
        className,
      )}
      onChange={(event) => onChange?.(event.target.value)}
      {...useFieldAttributes()}
      {...rest}
    />
  );
  if (!end) return input;
  return (
    <div className="relative">
      {input}
      <div className="absolute inset-y-0 right-1 flex items-center">{end}</div>
    </div>
  );
}
