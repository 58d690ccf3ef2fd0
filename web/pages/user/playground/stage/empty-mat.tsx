import { playgroundText } from '../../../../i18n/playground-text.ts';
import { useText } from '../../../../i18n/text.ts';
import { Corners } from '../../../../viewer/corners.tsx';
import { extentOf } from '../../../../viewer/extent.ts';
import { Sheet } from '../../../../viewer/mat.tsx';
import { usePlayground } from '../playground-context.tsx';

/** Before the first picture: where it will be, in the shape that is chosen, if there is room for it. */
export function EmptyMat() {
  const t = useText(playgroundText);
  const { fitted } = usePlayground();
  const { width, height } = extentOf(fitted.values.size);
  return (
    <Sheet
      width={width}
      height={height}
      className="grid place-items-center low:aspect-auto! low:w-auto! low:py-5"
    >
      <Corners />
      <div className="grid gap-1 px-6 text-center">
        <p className="text-body">{t.empty}</p>
        <p className="text-label text-text-2 max-sm:hidden">{t.emptyHint}</p>
      </div>
    </Sheet>
  );
}
