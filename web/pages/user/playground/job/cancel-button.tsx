import { useLayoutEffect, useRef } from 'react';
import { playgroundText } from '../../../../i18n/playground-text.ts';
import { useText } from '../../../../i18n/text.ts';
import { Button } from '../../../../ui/button.tsx';

/** It goes away once the request has ended: whoever works by keyboard goes on where that can be read. */
export function CancelButton({ isBusy, onClick }: { isBusy: boolean; onClick: () => void }) {
  const t = useText(playgroundText);
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const { current } = button;
    return () => {
      if (current !== document.activeElement) return;
      const stage = current?.closest<HTMLElement>('[data-stage]');
      requestAnimationFrame(() => {
        if (document.activeElement === document.body) stage?.focus({ preventScroll: true });
      });
    };
  }, []);
  return (
    <Button ref={button} busy={isBusy} onClick={onClick}>
      {t.cancel}
    </Button>
  );
}
