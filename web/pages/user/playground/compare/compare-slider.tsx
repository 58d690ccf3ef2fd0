import { ChevronsLeftRight } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { useFormats } from '../../../../i18n/formats.tsx';
import { playgroundText } from '../../../../i18n/playground-text.ts';
import { useText } from '../../../../i18n/text.ts';
import { icon } from '../../../../ui/icon.ts';
import { Sheet } from '../../../../viewer/mat.tsx';
import { CompareLabel } from './compare-label.tsx';
import type { Pair } from './compare-pair.ts';

const bigStep = 10;
const middle = 50;
/** Where so little of a picture is left, its name would lie on the other one. */
const labelledFrom = 15;

/** One over the other, cut where the slider is: a click on the picture, or the arrow keys. */
export function CompareSlider({ pair }: { pair: Pair }) {
  const t = useText(playgroundText).compare;
  const formats = useFormats();
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
          className="absolute inset-0 size-full bg-mat object-contain"
          style={{ clipPath: `inset(0 ${100 - share}% 0 0)` }}
        />
      )}
      {share >= labelledFrom && <CompareLabel side="left">{t.otherOne}</CompareLabel>}
      {share <= 100 - labelledFrom && <CompareLabel side="right">{t.thisOne}</CompareLabel>}
      <input
        type="range"
        min={0}
        max={100}
        value={share}
        aria-label={t.slider}
        aria-valuetext={formats.percent(share / 100)}
        onChange={(event) => setShare(event.target.valueAsNumber)}
        onKeyDown={onKeyDown}
        className="peer absolute inset-0 m-0 size-full cursor-ew-resize opacity-0"
      />
      <span
        aria-hidden
        className="pointer-events-none absolute inset-y-0 w-0.5 -translate-x-1/2 bg-surface outline-1 outline-ink *:outline-1 *:outline-ink peer-focus-visible:outline-2 peer-focus-visible:outline-accent peer-focus-visible:*:outline-2 peer-focus-visible:*:outline-accent"
        style={{ left: `${share}%` }}
      >
        <span className="absolute top-1/2 left-1/2 grid size-8 -translate-x-1/2 -translate-y-1/2 place-items-center rounded-full bg-surface text-text">
          <ChevronsLeftRight {...icon} />
        </span>
      </span>
    </Sheet>
  );
}

/** One per cent, or ten with Shift; which the browser's own slider does not know. */
function stepOf({ key, shiftKey }: KeyboardEvent): number {
  const size = shiftKey ? bigStep : 1;
  if (key === 'ArrowLeft' || key === 'ArrowDown') return -size;
  return key === 'ArrowRight' || key === 'ArrowUp' ? size : 0;
}
