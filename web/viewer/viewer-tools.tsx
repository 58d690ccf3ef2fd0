import { Contrast, Maximize, ZoomIn, ZoomOut } from 'lucide-react';
import { useFormats } from '../i18n/formats.tsx';
import { playgroundText } from '../i18n/playground-text.ts';
import { useText } from '../i18n/text.ts';
import { uiText } from '../i18n/ui-text.ts';
import { icon } from '../ui/icon.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { matLooks, useMatLook } from './use-mat-look.ts';
import type { ZoomControls } from './use-zoom.ts';

/** In the corner of the mat: zoom, and how bright the mat is. */
export function ViewerTools({ controls }: { controls: ZoomControls }) {
  const t = useText(playgroundText).viewer;
  const { labelled } = useText(uiText);
  const formats = useFormats();
  const [look, setLook] = useMatLook();
  const { scale } = controls.zoom;
  const nextLook = matLooks[(matLooks.indexOf(look) + 1) % matLooks.length] ?? 'theme';
  return (
    <div className="fade absolute top-2 right-2 flex items-center opacity-0 group-hover/mat:opacity-100 focus-within:opacity-100 pointer-coarse:opacity-100 rounded-control border border-line bg-surface max-sm:hidden">
      <IconButton label={t.zoomOut} icon={<ZoomOut {...icon} />} onClick={controls.zoomOut} />
      <button
        type="button"
        onClick={controls.full}
        aria-label={scale === null ? t.full : t.zoom(formats.percent(scale))}
        className="fade tabular min-h-8 min-w-12 rounded-control px-1 text-label text-text-2 hover:bg-hover hover:text-text"
      >
        {scale === null ? t.fit : formats.percent(Math.round(scale * 100) / 100)}
      </button>
      <IconButton label={t.zoomIn} icon={<ZoomIn {...icon} />} onClick={controls.zoomIn} />
      <IconButton label={t.fit} icon={<Maximize {...icon} />} onClick={controls.fit} />
      <IconButton
        label={labelled(t.mat, t.mats[look])}
        icon={<Contrast {...icon} />}
        onClick={() => setLook(nextLook)}
      />
    </div>
  );
}
