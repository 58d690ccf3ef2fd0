import { useEffect, useRef } from 'react';
import { fileNameOf } from '../../../../gallery/archive/file-name.ts';
import type { GalleryRun, GalleryStore } from '../../../../gallery/kept/gallery-store.ts';
import { playgroundText } from '../../../../i18n/playground-text.ts';
import { useText } from '../../../../i18n/text.ts';
import { useSearchState } from '../../../../lib/search-state.ts';
import { useToast } from '../../../../ui/toast.tsx';
import { type Draft, replaceContent } from '../draft/draft.ts';
import { useChangeDraft } from '../draft/use-change-draft.ts';
import { readWanted } from '../draft/wanted.ts';
import { usePlayground } from '../playground-context.tsx';
import { playgroundSearch } from '../playground-search.ts';
import { readReference, referenceOf } from './read-reference.ts';
import { type Intake, useIntake } from './reference-intake.tsx';

/** Takes over what a link of the gallery brings, once; then the address is clean again. */
export function FromGallery() {
  const [{ from, as = 'rerun' }, changeSearch] = useSearchState(playgroundSearch);
  const { gallery } = usePlayground();
  const { change } = useChangeDraft();
  const { refuse } = useIntake();
  const t = useText(playgroundText);
  const toast = useToast();
  const taken = useRef<string | null>(null);
  useEffect(() => {
    if (from === undefined) {
      taken.current = null;
      return;
    }
    if (taken.current === from) return;
    taken.current = from;
    const tellLost = () => toast({ title: t.referencesGone });
    changesOf(gallery, { id: from, as, refuse, tellLost })
      .then(
        (changes) => (changes ? change(changes) : toast({ title: t.viewer.gone })),
        () => toast({ title: t.notTaken }),
      )
      .finally(() => changeSearch({ from: undefined, as: undefined }, 'replace'));
  }, [from, as, gallery, change, changeSearch, refuse, toast, t]);
  return null;
}

interface Telling {
  /** That a picture cannot be a reference. */
  refuse: Intake['refuse'];
  /** That not all is there any more that the picture was made of. */
  tellLost: () => void;
}

/** Null when the picture is not there any more. */
async function changesOf(
  gallery: GalleryStore,
  { id, as, refuse, tellLost }: { id: string; as: 'edit' | 'rerun' } & Telling,
): Promise<((draft: Draft) => Partial<Draft>) | null> {
  const run = await gallery.findRun(id);
  if (!run) return null;
  return as === 'edit' ? editOf(gallery, run, refuse) : rerunOf(gallery, run, tellLost);
}

async function editOf(gallery: GalleryStore, run: GalleryRun, refuse: Intake['refuse']) {
  const image = await gallery.loadImage(run);
  if (!image) return null;
  const { createdAt, traceId, asked } = run;
  const name = fileNameOf({
    createdAt,
    traceId,
    model: asked.model,
    prompt: asked.prompt,
    type: image.type,
  });
  const read = await readReference(new File([image], name, { type: image.type }));
  if (read.kind !== 'reference') {
    refuse(read);
    return () => ({});
  }
  return ({ references }: Draft) => ({ references: [...references, read.reference] });
}

/** Everything as it was, as far as it is there: prompt, settings, references and mask. */
async function rerunOf(gallery: GalleryStore, run: GalleryRun, tellLost: () => void) {
  const stored = await gallery.loadReferences(run);
  const mask = await gallery.loadMask(run);
  const references = await Promise.all(stored.map(({ name, image }) => referenceOf(name, image)));
  // Where one is gone, nobody knows whether the first is still the one that the mask is for.
  const isWhole = references.length === run.references.length;
  if (!isWhole || (run.hasMask && !mask)) tellLost();
  const masked = references.map((each, index) =>
    index === 0 && isWhole ? { ...each, mask } : each,
  );
  return (draft: Draft): Partial<Draft> => ({
    ...replaceContent(draft, {
      prompt: run.asked.prompt,
      model: run.asked.model,
      wanted: readWanted({ ...run.asked, partial_images: run.partialImages }, draft.wanted),
      references: masked,
    }),
    shown: { kind: 'run', id: run.id },
  });
}
