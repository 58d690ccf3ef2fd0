import { useQuery } from '@tanstack/react-query';
import type { UserGallery } from '../../../gallery/gallery.ts';
import type { GalleryRun } from '../../../gallery/kept/gallery-store.ts';
import { fixedGalleryQuery } from '../../../gallery/use-gallery.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { galleryText } from '../../../i18n/gallery-text.ts';
import { playgroundText } from '../../../i18n/playground-text.ts';
import { useText } from '../../../i18n/text.ts';
import { useObjectUrl } from '../../../lib/object-url.ts';
import { TraceLink } from '../../../parts/trace-link.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { FactSection, Facts } from '../../../ui/facts.tsx';
import { KeptOutside } from './kept-outside.tsx';

/** Everything that is known of a picture, and what it was made of. */
export function ImageFacts({ gallery, run }: { gallery: UserGallery; run: GalleryRun }) {
  const t = useText(galleryText).viewer;
  const formats = useFormats();
  const { qualities, backgrounds } = useText(playgroundText);
  const { asked, used, image, revisedPrompt, durationMs, costMicros, createdAt, traceId } = run;
  const format = image.type.replace('image/', '').toUpperCase();
  return (
    <aside
      aria-label={t.facts}
      className="grid min-h-0 content-start gap-4 overflow-y-auto border-line bg-bg p-5 max-lg:border-t max-sm:p-4 lg:border-l"
    >
      <section className="grid gap-1">
        <div className="flex items-center justify-between gap-2">
          <h2 className="text-body">{t.prompt}</h2>
          <CopyButton text={asked.prompt} label={t.copyPrompt} />
        </div>
        <p dir="auto" className="whitespace-pre-wrap wrap-anywhere">
          {asked.prompt}
        </p>
      </section>
      {revisedPrompt !== null && revisedPrompt !== asked.prompt && (
        <FactSection title={t.revised}>
          <p dir="auto" className="whitespace-pre-wrap wrap-anywhere text-text-2">
            {revisedPrompt}
          </p>
        </FactSection>
      )}
      {(run.hasMask || run.madeOf !== null) && <KeptOutside gallery={gallery} run={run} />}
      {run.references.length > 0 && <References gallery={gallery} run={run} />}
      <FactSection title={t.settings}>
        <Facts
          facts={[
            { label: t.model, value: <span translate="no">{asked.model}</span> },
            { label: t.size, value: usedPair(t, sizeText(asked.size), sizeText(used.size)) },
            {
              label: t.quality,
              value: usedPair(t, nameOf(qualities, asked.quality), nameOf(qualities, used.quality)),
            },
            {
              label: t.background,
              value: usedPair(
                t,
                nameOf(backgrounds, asked.background),
                nameOf(backgrounds, used.background),
              ),
            },
            { label: t.file, value: `${format}, ${formats.bytes(image.bytes)}` },
          ]}
        />
      </FactSection>
      <FactSection title={t.request}>
        <Facts
          facts={[
            { label: t.made, value: formats.time(createdAt) },
            { label: t.cost, value: formats.price({ micros: costMicros }) },
            { label: t.duration, value: durationMs === null ? null : formats.duration(durationMs) },
            { label: t.traceId, value: <TraceLink traceId={traceId} isFluid /> },
          ]}
        />
      </FactSection>
    </aside>
  );
}

/** `1536 × 1024` */
function sizeText(size: string | undefined): string | undefined {
  return size === 'auto' ? undefined : size?.replace('x', ' × ');
}

/** What was used; and what was asked for, where that was something else. */
function usedPair(
  t: { asked: (used: string, asked: string) => string },
  asked: string | undefined,
  used: string | undefined,
): string {
  if (used === undefined) return '';
  return asked === undefined || asked === used ? used : t.asked(used, asked);
}

/** What was left to the model was not asked for. */
function nameOf(names: Readonly<Record<string, string>>, value?: string): string | undefined {
  return value === undefined || value === 'auto' ? undefined : (names[value] ?? value);
}

function References({ gallery, run }: { gallery: UserGallery; run: GalleryRun }) {
  const t = useText(galleryText).viewer;
  const { data = [] } = useQuery({
    ...fixedGalleryQuery,
    queryKey: ['gallery', 'references', run.id],
    queryFn: () => gallery.loadReferences(run),
    gcTime: 0,
  });
  return (
    <FactSection title={t.references}>
      <ul className="flex flex-wrap gap-2">
        {data.map(({ name, image }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- the references of a run are fixed
          <li key={index} className="grid w-18 gap-1">
            <ReferenceImage image={image} alt={t.reference(index + 1, name)} />
            <span className="truncate text-caption text-text-3">
              {run.hasMask && index === 0 ? t.masked : name}
            </span>
          </li>
        ))}
      </ul>
    </FactSection>
  );
}

function ReferenceImage({ image, alt }: { image: Blob; alt: string }) {
  const url = useObjectUrl(image);
  return (
    <span className="grid size-18 grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)] place-items-center overflow-hidden rounded-small bg-mat">
      {url && <img src={url} alt={alt} className="max-h-full max-w-full object-contain" />}
    </span>
  );
}
