import { type RefObject, useEffect, useRef } from 'react';
import { playgroundText } from '../../../../i18n/playground-text.ts';
import { useText } from '../../../../i18n/text.ts';
import { modifierKey } from '../../../../lib/modifier-key.ts';
import { Button } from '../../../../ui/button.tsx';
import { usePlayground } from '../playground-context.tsx';
import { CostLine } from './cost-line.tsx';
import type { Generate } from './use-generate.ts';

/** Always in sight: at the end of the column, or fixed to the end of a phone's screen. */
export function GenerateBar({ generate }: { generate: Generate }) {
  const t = useText(playgroundText);
  const { jobs } = usePlayground();
  const bar = useRef<HTMLDivElement>(null);
  useRoomBelow(bar);
  const waiting = jobs.filter(({ state }) => state.kind === 'queued').length;
  return (
    <div
      ref={bar}
      className="z-10 grid gap-2 max-lg:fixed max-lg:inset-x-0 max-lg:bottom-0 max-lg:md:left-56 border-t border-line bg-surface px-4 pt-3 pb-[max(12px,env(safe-area-inset-bottom))]"
    >
      <CostLine cost={generate.cost} waiting={waiting} />
      <Button
        look="primary"
        size="large"
        className="w-full"
        disabledReason={generate.blocked}
        // A button that has the focus is clicked again and again by a key that is held.
        onKeyDown={(event) => {
          if (event.repeat && event.key === 'Enter') event.preventDefault();
        }}
        onClick={generate.run}
      >
        {t.generate}
        <kbd
          aria-hidden
          className="text-caption font-normal opacity-70 max-sm:hidden pointer-coarse:hidden"
        >
          {t.generateKeys(modifierKey())}
        </kbd>
      </Button>
    </div>
  );
}

/** What gets the focus is scrolled to above the bar, never under it. */
function useRoomBelow(bar: RefObject<HTMLDivElement | null>): void {
  useEffect(() => {
    const { style } = document.documentElement;
    const height = bar.current?.offsetHeight ?? 0;
    style.scrollPaddingBottom = `${height + 8}px`;
    return () => {
      style.scrollPaddingBottom = '';
    };
  }, [bar]);
}
