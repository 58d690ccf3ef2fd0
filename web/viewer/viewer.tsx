import { useRef } from 'react';
import { beginningOf } from '../../shared/beginning.ts';
import { useUser } from '../api/bootstrap.ts';
import { playgroundText } from '../i18n/playground-text.ts';
import { useText } from '../i18n/text.ts';
import { useObjectUrl } from '../lib/object-url.ts';
import { useShortcuts } from '../lib/shortcuts.ts';
import { classes } from '../ui/classes.ts';
import { Corners } from './corners.tsx';
import { extentOf } from './extent.ts';
import type { Finished } from './finished.ts';
import { Sheet } from './mat.tsx';
import { type Beside, useSwipe } from './use-swipe.ts';
import { useZoom } from './use-zoom.ts';
import { ViewerTools } from './viewer-tools.tsx';

const altCharactersMax = 100;
const nothingBeside: Beside = { left: null, right: null };

/** A finished picture: fitted to the mat, where a finger moves it aside; or zoomed and moved on it. */
export function Viewer({
  finished,
  image,
  isGone,
  beside = nothingBeside,
}: {
  finished: Finished;
  image: Blob | null;
  isGone: boolean;
  beside?: Beside;
}) {
  const t = useText(playgroundText).viewer;
  const { preferences } = useUser();
  const sheet = useRef<HTMLImageElement>(null);
  const url = useObjectUrl(image);
  const { asked, used } = finished;
  const { width, height } = extentOf(used.size);
  const controls = useZoom(
    () => ({ width, height }),
    () => (sheet.current?.clientWidth ?? width) / width,
  );
  const { zoom, handlers, attach } = controls;
  useShortcuts(
    { Escape: controls.fit, '0': controls.fit, '1': controls.full },
    preferences.shortcuts,
  );
  const isZoomed = zoom.scale !== null;
  const swipe = useSwipe(isZoomed ? null : beside);
  return (
    <>
      <div className="absolute inset-0" {...swipe.handlers}>
        <div
          ref={attach}
          {...handlers}
          onDoubleClick={controls.toggle}
          className={classes(
            'absolute inset-0 grid place-content-center overflow-hidden',
            isZoomed ? 'cursor-grab touch-none active:cursor-grabbing' : 'touch-pan-y',
          )}
        >
          <Sheet
            width={width}
            height={height}
            isTransparent={used.background === 'transparent'}
            style={
              zoom.scale === null
                ? { transform: `translate(${swipe.offset}px)` }
                : { width: width * zoom.scale, transform: `translate(${zoom.x}px, ${zoom.y}px)` }
            }
          >
            {url ? (
              <img
                ref={sheet}
                src={url}
                alt={t.alt(beginningOf(asked.prompt, altCharactersMax))}
                draggable={false}
                className="absolute inset-0 size-full"
                data-testid="result"
              />
            ) : (
              <>
                <Corners />
                <p className="absolute inset-0 grid place-items-center text-label text-text-2">
                  {isGone ? t.gone : ''}
                </p>
              </>
            )}
          </Sheet>
        </div>
      </div>
      <ViewerTools controls={controls} />
    </>
  );
}
