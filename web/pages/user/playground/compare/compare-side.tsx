import { playgroundText } from '../../../../i18n/playground-text.ts';
import { useText } from '../../../../i18n/text.ts';
import { useZoom, type Zoom } from '../../../../viewer/use-zoom.ts';
import { ViewerTools } from '../../../../viewer/viewer-tools.tsx';
import { CompareLabel } from './compare-label.tsx';
import type { Pair } from './compare-pair.ts';

/** One beside the other; both are zoomed and moved together. */
export function CompareSide({ pair }: { pair: Pair }) {
  const t = useText(playgroundText).compare;
  // Both are fitted to their own sides first: the zoom counts from there.
  const controls = useZoom(
    (side) => ({ width: side.clientWidth, height: side.clientHeight }),
    () => 1,
  );
  const sides = [
    { url: pair.url, label: t.thisOne },
    { url: pair.otherUrl, label: t.otherOne },
  ];
  return (
    <div className="absolute inset-0 grid grid-cols-2 gap-px bg-line">
      {sides.map(({ url, label }) => (
        <figure
          key={label}
          ref={controls.attach}
          {...controls.handlers}
          className="relative grid touch-none place-items-center overflow-hidden bg-mat"
        >
          {url && (
            <img
              src={url}
              alt={label}
              draggable={false}
              className="absolute inset-0 size-full object-contain p-4"
              style={styleOf(controls.zoom)}
            />
          )}
          <figcaption>
            <CompareLabel>{label}</CompareLabel>
          </figcaption>
        </figure>
      ))}
      <ViewerTools controls={controls} />
    </div>
  );
}

function styleOf({ scale, x, y }: Zoom) {
  return scale === null ? {} : { transform: `translate(${x}px, ${y}px) scale(${scale})` };
}
