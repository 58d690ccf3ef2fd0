import { useState } from 'react';
import { playgroundText } from '../../../i18n/playground-text.ts';
import { useText } from '../../../i18n/text.ts';
import { CompareView } from './compare-view.tsx';
import { EmptyMat } from './empty-mat.tsx';
import { FinishedBar } from './finished-bar.tsx';
import { JobBar } from './job-bar.tsx';
import { Mat } from './mat.tsx';
import { ProgressMat } from './progress-mat.tsx';
import { SessionStrip } from './session-strip.tsx';
import { finishedOf } from './stage-items.ts';
import { useFinishedImage } from './use-finished-image.ts';
import { useMatLook } from './use-mat-look.ts';
import { useStageItems } from './use-stage-items.ts';
import { useStepShortcuts } from './use-step-shortcuts.ts';
import { Viewer } from './viewer.tsx';

/** The picture, what is to be said of it, and those before it. */
export function Stage() {
  const t = useText(playgroundText);
  const { items, shown } = useStageItems();
  const [look] = useMatLook();
  const [comparing, setComparing] = useState<string | null>(null);
  useStepShortcuts(items, shown);
  const finished = finishedOf(shown);
  const { image, isGone } = useFinishedImage(finished);
  const isComparing = finished !== null && image !== null && comparing === finished.id;
  return (
    <section aria-label={t.stage} className="flex min-h-0 min-w-0 flex-col">
      {isComparing ? (
        <CompareView finished={finished} image={image} onClose={() => setComparing(null)} />
      ) : (
        <Mat look={look}>
          {finished ? (
            <Viewer key={finished.id} finished={finished} image={image} isGone={isGone} />
          ) : shown?.kind === 'job' ? (
            <ProgressMat key={shown.id} job={shown.job} />
          ) : (
            <EmptyMat />
          )}
        </Mat>
      )}
      {finished ? (
        <FinishedBar
          key={finished.id}
          finished={finished}
          image={image}
          onCompare={() => setComparing(isComparing ? null : finished.id)}
        />
      ) : (
        shown?.kind === 'job' && <JobBar key={shown.id} job={shown.job} />
      )}
      <SessionStrip items={items} shownId={shown?.id ?? null} />
    </section>
  );
}
