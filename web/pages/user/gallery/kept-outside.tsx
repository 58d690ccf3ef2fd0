import { useQuery } from '@tanstack/react-query';
import type { UserGallery } from '../../../gallery/gallery.ts';
import type { GalleryRun } from '../../../gallery/kept/gallery-store.ts';
import { fixedGalleryQuery } from '../../../gallery/use-gallery.ts';
import { galleryText } from '../../../i18n/gallery-text.ts';
import { useText } from '../../../i18n/text.ts';
import type { MaskDocument } from '../../../mask/mask-document.ts';
import { isSameShape } from '../../../mask/same-shape.ts';
import { paths } from '../../../paths.ts';
import { Link } from '../../../ui/link.tsx';
import { Pill } from '../../../ui/pill.tsx';

/** What became of the pixels outside of the mask, when they were to be kept. */
export function KeptOutside({ gallery, run }: { gallery: UserGallery; run: GalleryRun }) {
  const { data: mask = null } = useQuery({
    ...fixedGalleryQuery,
    queryKey: ['gallery', 'mask', run.id],
    queryFn: () => gallery.loadMask(run),
    gcTime: 0,
  });
  if (run.madeOf !== null) return <Composited run={run} madeOf={run.madeOf} mask={mask} />;
  return mask?.keepOutside && !isSameShape(run.image, mask) ? <NotPutBack /> : null;
}

/** A mask is as large as the original. */
function Composited({
  run: { image },
  madeOf,
  mask,
}: {
  run: GalleryRun;
  madeOf: string;
  mask: MaskDocument | null;
}) {
  const t = useText(galleryText);
  const wasScaled = mask && (mask.width !== image.width || mask.height !== image.height);
  return (
    <section className="grid justify-items-start gap-1 border-t border-line pt-4">
      <Pill>{t.composited}</Pill>
      <p className="text-text-2">{t.viewer.compositedText}</p>
      {wasScaled && (
        <p className="text-text-2">{t.viewer.scaledText(`${mask.width} × ${mask.height}`)}</p>
      )}
      <Link to={paths.galleryImage(madeOf)}>{t.viewer.original}</Link>
    </section>
  );
}

function NotPutBack() {
  const t = useText(galleryText).viewer;
  return (
    <section className="border-t border-line pt-4">
      <p className="text-text-2">{t.notPutBack}</p>
    </section>
  );
}
