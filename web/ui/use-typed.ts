import { type FormEvent, useState } from 'react';

/** Whether something was typed or chosen in a dialog that is lost when it closes. */
export function useTyped(popup: HTMLElement | null) {
  // A dialog that was closed and opened again has another popup.
  const [typedIn, setTypedIn] = useState<HTMLElement | null>(null);
  return {
    hasTyped: popup !== null && typedIn === popup,
    onInput: ({ target }: FormEvent<HTMLElement>) => {
      if (!isChoice(target)) setTypedIn(popup);
    },
    reset: () => setTypedIn(null),
  };
}

/** Outside of a form it has its effect at once, or is made again by one click. */
function isChoice(target: EventTarget): boolean {
  return (
    target instanceof HTMLInputElement &&
    target.form === null &&
    ['checkbox', 'radio', 'range'].includes(target.type)
  );
}
