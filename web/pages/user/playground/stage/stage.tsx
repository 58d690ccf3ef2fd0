import { Suspense, useEffect, useState } from 'react';
import { playgroundText } from '../../../../i18n/playground-text.ts';
import { useText } from '../../../../i18n/text.ts';
import { lazyPart } from '../../../../parts/lazy-part.tsx';
import { Mat } from '../../../../viewer/mat.tsx';
import { useMatLook } from '../../../../viewer/use-mat-look.ts';
import { useFinishedImage } from '../finished/use-finished-image.ts';
import { focusField } from '../focus-field.ts';
import { EmptyMat } from './empty-mat.tsx';
import { SessionStrip } from './session-strip.tsx';
import { finishedOf } from './stage-items.ts';
import { useStageItems } from './use-stage-items.ts';
import { useStepShortcuts } from './use-step-shortcuts.ts';

// Whoever has made nothing yet need not wait for these.
const CompareView = lazyPart(async () => (await import('../compare/compare-view.tsx')).CompareView);
const FinishedBar = lazyPart(
  async () => (await import('../finished/finished-bar.tsx')).FinishedBar,
);
const JobBar = lazyPart(async () => (await import('../job/job-bar.tsx')).JobBar);
const ProgressMat = lazyPart(async () => (await import('../job/progress-mat.tsx')).ProgressMat);
const Viewer = lazyPart(async () => (await import('../../../../viewer/viewer.tsx')).Viewer);

/** As high as a finished picture's bar. */
const barPlace = 'min-h-21 shrink-0 border-t border-line bg-surface max-sm:min-h-47';

/** The picture, what is to be said of it, and those before it. */
export function Stage() {
  const t = useText(playgroundText);
  useEffect(loadTheRest, []);
  const { items, shown } = useStageItems();
  const [look] = useMatLook();
  const [comparing, setComparing] = useState<string | null>(null);
  useStepShortcuts(items, shown);
  const finished = finishedOf(shown);
  const { image, isGone } = useFinishedImage(finished);
  const stopComparing = () => {
    setComparing(null);
    // What had the focus may go away.
    focusField('compare');
  };
  const isComparing = finished !== null && image !== null && comparing === finished.id;
  return (
    <section
      aria-label={t.stage}
      data-stage
      tabIndex={-1}
      className="flex min-h-0 min-w-0 flex-col outline-none"
    >
      {isComparing ? (
        <Suspense fallback={<Mat look={look}>{null}</Mat>}>
          <CompareView finished={finished} image={image} onClose={stopComparing} />
        </Suspense>
      ) : (
        <Mat look={look} isEmpty={!shown}>
          {finished ? (
            <Suspense>
              <Viewer key={finished.id} finished={finished} image={image} isGone={isGone} />
            </Suspense>
          ) : shown?.kind === 'job' ? (
            <Suspense>
              <ProgressMat key={shown.id} job={shown.job} />
            </Suspense>
          ) : (
            <EmptyMat />
          )}
        </Mat>
      )}
      {finished ? (
        <Suspense fallback={<div className={barPlace} />}>
          <FinishedBar
            key={finished.id}
            finished={finished}
            image={image}
            isGone={isGone}
            onCompare={() => setComparing(isComparing ? null : finished.id)}
          />
        </Suspense>
      ) : (
        shown?.kind === 'job' && (
          <Suspense fallback={<div className={barPlace} />}>
            <JobBar key={shown.id} job={shown.job} />
          </Suspense>
        )
      )}
      <SessionStrip items={items} shownId={shown?.id ?? null} />
    </section>
  );
}

/** Right after the page, so that no picture waits for them, nor finds them gone after an upgrade. */
function loadTheRest(): void {
  for (const part of [CompareView, FinishedBar, JobBar, ProgressMat, Viewer]) void part.preload();
}
