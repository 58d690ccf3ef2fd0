import { ImagePlus } from 'lucide-react';
import { Suspense, useRef } from 'react';
import { playgroundText } from '../../../../i18n/playground-text.ts';
import { useText } from '../../../../i18n/text.ts';
import { lazyPart } from '../../../../parts/lazy-part.tsx';
import { classes } from '../../../../ui/classes.ts';
import { icon } from '../../../../ui/icon.ts';
import { usePlayground } from '../playground-context.tsx';
import { useIntake } from './reference-intake.tsx';

// Most requests have no references.
const IntakeNotes = lazyPart(async () => (await import('./intake-notes.tsx')).IntakeNotes);
const ReferenceTile = lazyPart(async () => (await import('./reference-tile.tsx')).ReferenceTile);

const accepted = 'image/png,image/jpeg,image/webp,image/heic,image/heif,.heic,.heif,image/*';

/** The pictures that an edit starts from, in the order in which they are sent. */
export function ReferencesField() {
  const t = useText(playgroundText);
  const { draft, model } = usePlayground();
  const { reading, notes } = useIntake();
  const { references } = draft;
  const capabilities = model?.capabilities ?? null;
  const max = capabilities?.reference_images_max ?? 0;
  const takesNone =
    capabilities !== null && (max === 0 || !capabilities.operations.includes('edit'));
  return (
    <section aria-label={t.references} className="grid gap-2" data-field="images">
      <div className="flex items-baseline justify-between gap-2">
        <h2 className="text-label font-semibold">{t.references}</h2>
        <span className="tabular text-caption text-text-3">
          {references.length === 0 ? t.referencesHelp : t.referencesCount(references.length, max)}
        </span>
      </div>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(96px,1fr))] gap-2">
        {references.map((reference, index) => (
          <Suspense key={reference.id} fallback={<li className="aspect-square bg-mat" />}>
            <ReferenceTile reference={reference} number={index + 1} />
          </Suspense>
        ))}
        <li className={classes(references.length === 0 && 'col-span-full')}>
          <AddButton isAlone={references.length === 0} />
        </li>
      </ul>
      <span role="status" className="sr-only">
        {reading > 0 ? t.reading : ''}
      </span>
      {references.length > 0 && takesNone && model && (
        <p className="text-label text-warn">{t.referencesUnsupported(model.id)}</p>
      )}
      {!takesNone && references.length > max && capabilities && (
        <p className="text-label text-warn">{t.referencesTooMany(max)}</p>
      )}
      {references[0]?.mask && capabilities?.mask === false && (
        <p className="text-label text-warn">{t.maskLost}</p>
      )}
      {notes.length > 0 && (
        <Suspense>
          <IntakeNotes />
        </Suspense>
      )}
    </section>
  );
}

function AddButton({ isAlone }: { isAlone: boolean }) {
  const t = useText(playgroundText);
  const { attach, reading } = useIntake();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button
        type="button"
        aria-busy={reading > 0 || undefined}
        onClick={() => input.current?.click()}
        className={classes(
          'fade flex w-full items-center justify-center gap-2 rounded-small border border-dashed border-line-strong text-label text-text-2 hover:bg-hover hover:text-text aria-busy:opacity-60',
          isAlone ? 'min-h-10 pointer-coarse:min-h-11' : 'aspect-square flex-col',
        )}
      >
        <ImagePlus {...icon} />
        {t.addReference}
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept={accepted}
        aria-label={t.addReference}
        onChange={({ currentTarget }) => {
          attach([...(currentTarget.files ?? [])]);
          // The same file may be picked again.
          currentTarget.value = '';
        }}
      />
    </>
  );
}
