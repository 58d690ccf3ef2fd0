import { type KeyboardEvent, useState } from 'react';
import { playgroundText } from '../../../i18n/playground-text.ts';
import { useText } from '../../../i18n/text.ts';
import type { Pair } from './compare-pair.ts';
import { Sheet } from './mat.tsx';

const bigStep = 10;
const middle = 50;

/** One over the other, cut where the slider is: a click on the picture, or the arrow keys. */
export function CompareSlider({ pair }: { pair: Pair }) {
  const t = useText(playgroundText).compare;
  const [share, setShare] = useState(middle);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = stepOf(event);
    if (step === 0) return;
    event.preventDefault();
    setShare((before) => Math.min(100, Math.max(0, before + step)));
  };
  return (
    <Sheet width={pair.width} height={pair.height} className="overflow-hidden">
      {pair.url && <img src={pair.url} alt={t.thisOne} className="absolute inset-0 size-full" />}
      {pair.otherUrl && (
        <img
          src={pair.otherUrl}
          alt={t.otherOne}
          className="absolute inset-0 size-full object-contain"
          style={{ clipPath: `inset(0 ${100 - share}% 0 0)` }}
        />
      )}
      <span
        aria-hidden
        className="pointer-events-none absolute inset-y-0 w-0.5 -translate-x-1/2 bg-surface outline-1 outline-ink"
        style={{ left: `${share}%` }}
      />
      <input
        type="range"
        min={0}
        max={100}
        value={share}
        aria-label={t.slider}
        aria-valuetext={t.sliderValue(share)}
        onChange={(event) => setShare(event.target.valueAsNumber)}
        onKeyDown={onKeyDown}
        className="absolute inset-0 m-0 size-full cursor-ew-resize opacity-0"
      />
      <span
        aria-hidden
        className="pointer-events-none absolute inset-0 outline-accent in-[:has(:focus-visible)]:outline-2"
      />
    </Sheet>
  );
}

/** One per cent, or ten with Shift; which the browser's own slider does not know. */
function stepOf({ key, shiftKey }: KeyboardEvent): number {
  const size = shiftKey ? bigStep : 1;
  if (key === 'ArrowLeft' || key === 'ArrowDown') return -size;
  return key === 'ArrowRight' || key === 'ArrowUp' ? size : 0;
}
