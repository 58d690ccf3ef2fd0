import { useFormats } from '../../i18n/formats.tsx';
import { galleryText } from '../../i18n/gallery-text.ts';
import { useText } from '../../i18n/text.ts';
import { Meter } from '../../ui/meter.tsx';
import { type GalleryFacts, galleryLimits } from '../gallery.ts';

/** How much of the limit is used. */
export function StorageMeter({ facts: { bytes, capBytes } }: { facts: GalleryFacts }) {
  const t = useText(galleryText);
  const formats = useFormats();
  if (capBytes === null) return null;
  const share = Math.min(1, bytes / capBytes);
  return (
    <div className="grid gap-1">
      <Meter
        share={share}
        isFull={share >= galleryLimits.fullShare}
        label={t.meter(formats.percent(share))}
      />
      <p className="tabular text-label text-text-2">
        {t.used(formats.bytes(bytes), formats.bytes(capBytes))}
      </p>
    </div>
  );
}
