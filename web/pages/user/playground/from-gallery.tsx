import { useEffect, useRef } from 'react';
import { fileNameOf } from '../../../gallery/file-name.ts';
import type { GalleryRun, GalleryStore } from '../../../gallery/gallery-store.ts';
import { useSearchState } from '../../../lib/search-state.ts';
import type { Draft } from './draft.ts';
import { usePlayground } from './playground-context.tsx';
import { playgroundSearch } from './playground-search.ts';
import { referenceOf } from './read-reference.ts';
import { useChangeDraft } from './use-change-draft.ts';
import { readWanted } from './wanted.ts';

/** Takes over what a link of the gallery brings, once; then the address is clean again. */
export function FromGallery() {
  const [{ from, as = 'rerun' }, changeSearch] = useSearchState(playgroundSearch);
  const { gallery } = usePlayground();
  const { change } = useChangeDraft();
  const taken = useRef<string | null>(null);
  useEffect(() => {
    if (from === undefined) {
      taken.current = null;
      return;
    }
    if (taken.current === from) return;
    taken.current = from;
    void changesOf(gallery, { id: from, as }).then((changes) => {
      change((draft) => changes(draft));
      changeSearch({ from: undefined, as: undefined }, 'replace');
    });
  }, [from, as, gallery, change, changeSearch]);
  return null;
}

async function changesOf(
  gallery: GalleryStore,
  { id, as }: { id: string; as: 'edit' | 'rerun' },
): Promise<(draft: Draft) => Partial<Draft>> {
  const run = await gallery.findRun(id);
  if (!run) return () => ({});
  return as === 'edit' ? editOf(gallery, run) : rerunOf(gallery, run);
}

async function editOf(gallery: GalleryStore, run: GalleryRun) {
  const image = await gallery.loadImage(run);
  if (!image) return () => ({});
  const { createdAt, traceId, asked } = run;
  const name = fileNameOf({
    createdAt,
    traceId,
    model: asked.model,
    prompt: asked.prompt,
    type: image.type,
  });
  const reference = await referenceOf(name, image);
  return ({ references }: Draft) => ({ references: [...references, reference] });
}

/** Everything as it was: prompt, settings, references and mask. */
async function rerunOf(gallery: GalleryStore, run: GalleryRun) {
  const stored = await gallery.loadReferences(run);
  const mask = await gallery.loadMask(run);
  const references = await Promise.all(stored.map(({ name, image }) => referenceOf(name, image)));
  const masked = references.map((each, index) => (index === 0 ? { ...each, mask } : each));
  return ({ wanted }: Draft): Partial<Draft> => ({
    prompt: run.asked.prompt,
    model: run.asked.model,
    wanted: readWanted({ ...run.asked, partial_images: run.partialImages }, wanted),
    references: masked,
    shown: { kind: 'run', id: run.id },
  });
}
