import { useState } from 'react';
import { useText } from '../i18n/text.ts';
import { uiText } from '../i18n/ui-text.ts';
import { Button } from './button.tsx';
import { TextInput, type TextInputProps } from './text-input.tsx';

/** One field that can be shown, rather than two that must agree. */
export function PasswordInput(props: Omit<TextInputProps, 'type' | 'end'>) {
  const t = useText(uiText);
  const [isShown, setShown] = useState(false);
  return (
    <TextInput
      {...props}
      type={isShown ? 'text' : 'password'}
      spellCheck={false}
      autoCapitalize="none"
      end={
        <Button size="small" look="quiet" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
          {isShown ? t.hide : t.show}
        </Button>
      }
    />
  );
}
