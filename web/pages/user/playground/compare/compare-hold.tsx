import { useState } from 'react';
import { playgroundText } from '../../../../i18n/playground-text.ts';
import { useText } from '../../../../i18n/text.ts';
import { Sheet } from '../../../../viewer/mat.tsx';
import { CompareLabel } from './compare-label.tsx';
import type { Pair } from './compare-pair.ts';

/** The other one for as long as the picture, or a key on it, is held. */
export function CompareHold({ pair }: { pair: Pair }) {
  const t = useText(playgroundText).compare;
  const [isHeld, setHeld] = useState(false);
  const url = isHeld ? pair.otherUrl : pair.url;
  const release = () => setHeld(false);
  return (
    <Sheet width={pair.width} height={pair.height}>
      <button
        type="button"
        aria-label={t.holdButton}
        aria-pressed={isHeld}
        onPointerDown={() => setHeld(true)}
        onPointerUp={release}
        onPointerLeave={release}
        onPointerCancel={release}
        onKeyDown={({ key }) => (key === ' ' || key === 'Enter' ? setHeld(true) : undefined)}
        onKeyUp={release}
        onBlur={release}
        className="absolute inset-0 size-full touch-none"
      >
        {url && (
          <img
            src={url}
            alt=""
            draggable={false}
            className="absolute inset-0 size-full object-contain"
          />
        )}
        <CompareLabel>{isHeld ? t.otherOne : t.thisOne}</CompareLabel>
      </button>
    </Sheet>
  );
}
