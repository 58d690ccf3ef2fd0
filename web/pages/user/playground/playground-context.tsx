/** What the parts of the playground share: the draft, the models, the requests, and what a click does. */
import { useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useMemo } from 'react';
import type { PlaygroundModel } from '../../../../shared/console/models.ts';
import { useUser } from '../../../api/bootstrap.ts';
import { playgroundModelsQuery } from '../../../api/models.ts';
import type { GalleryStore } from '../../../gallery/kept/gallery-store.ts';
import { useGallery, useGalleryChanges } from '../../../gallery/use-gallery.ts';
import type { Job } from '../../../jobs/job.ts';
import type { JobRunner } from '../../../jobs/job-runner.ts';
import { useJobRunner, useJobs } from '../../../jobs/jobs.ts';
import { type Store, useStore } from '../../../lib/store.ts';
import { type Draft, draftOf } from './draft/draft.ts';
import { forgetKeptDraft, keepDraft } from './draft/kept-draft.ts';
import { type Fitted, fit } from './draft/wanted.ts';

export interface Playground {
  draft: Draft;
  drafts: Store<Draft>;
  /** Null while they are loaded. */
  models: readonly PlaygroundModel[] | null;
  modelsError: Error | null;
  reloadModels: () => void;
  /** The chosen one, which may have been withdrawn since; null when there is none. */
  model: PlaygroundModel | null;
  fitted: Fitted;
  jobs: readonly Job[];
  runner: JobRunner;
  gallery: GalleryStore;
}

const PlaygroundContext = createContext<Playground | null>(null);

export function PlaygroundProvider({ children }: { children: ReactNode }) {
  const { id } = useUser();
  const drafts = draftOf(id);
  const draft = useStore(drafts);
  const { data, error, refetch } = useQuery(playgroundModelsQuery);
  const runner = useJobRunner();
  const jobs = useJobs();
  const gallery = useGallery();
  useGalleryChanges(gallery);
  useEffect(() => {
    if (gallery.isKept()) keepDraft(id, draft);
    else forgetKeptDraft();
  }, [id, gallery, draft]);
  const models = data?.models ?? null;
  const model = useMemo(() => modelOf(models ?? [], draft.model), [models, draft.model]);
  const modelId = model?.id ?? null;
  // Whoever has seen it with its price has chosen it.
  useEffect(() => {
    if (draft.model === null && modelId !== null) {
      drafts.change((before) => ({ ...before, model: modelId }));
    }
  }, [draft.model, drafts, modelId]);
  const fitted = useMemo(
    () => fit(draft.wanted, model?.capabilities ?? null),
    [draft.wanted, model],
  );
  const value: Playground = {
    draft,
    drafts,
    models,
    modelsError: models === null ? error : null,
    reloadModels: () => void refetch(),
    model,
    fitted,
    jobs,
    runner,
    gallery,
  };
  return <PlaygroundContext value={value}>{children}</PlaygroundContext>;
}

export function usePlayground(): Playground {
  const playground = useContext(PlaygroundContext);
  if (!playground) throw new Error('there is no playground around this');
  return playground;
}

/**
 * The one that was chosen, available or not; before that the first that can be used. Nobody pays for another one
 * because theirs was withdrawn.
 */
function modelOf(
  models: readonly PlaygroundModel[],
  chosen: string | null,
): PlaygroundModel | null {
  if (chosen === null) return models.find(({ is_available }) => is_available) ?? null;
  const found = models.find(({ id }) => id === chosen);
  return found ?? (models.length === 0 ? null : { ...withdrawn, id: chosen });
}

/** What is left of a model that is not listed any more. */
const withdrawn: Omit<PlaygroundModel, 'id'> = {
  description: '',
  price: null,
  is_available: false,
  reason: null,
  missing: null,
  capabilities: null,
  paces: [],
};
