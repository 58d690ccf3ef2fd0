import { playgroundText } from '../../../../i18n/playground-text.ts';
import { useText } from '../../../../i18n/text.ts';
import type { Cut } from '../../../../jobs/job.ts';
import type { Finished } from '../../../../viewer/finished.ts';
import { useSeconds } from '../use-seconds.ts';
import { FinishedActions } from './finished-actions.tsx';
import { NotKeptNotice } from './not-kept-notice.tsx';
import { Receipt } from './receipt.tsx';
import { RevisedPrompt } from './revised-prompt.tsx';

/** Below a finished picture: what it cost and is, and what can be done with it. */
export function FinishedBar({
  finished,
  image,
  isGone,
  onCompare,
}: {
  finished: Finished;
  image: Blob | null;
  isGone: boolean;
  onCompare: () => void;
}) {
  const t = useText(playgroundText);
  const { job } = finished;
  return (
    <div className="grid min-h-21 shrink-0 gap-1.5 border-t border-line bg-surface px-4 py-2.5">
      <Receipt finished={finished} />
      {job?.recovered && <RecoveredText cut={job.recovered} />}
      {job?.state.result.wasCancelled && (
        <p className="text-label text-text-2">{t.cancelledTooLate}</p>
      )}
      <RevisedPrompt asked={finished.asked.prompt} revised={finished.revisedPrompt} />
      {job && <NotKeptNotice id={job.id} result={job.state.result} />}
      <FinishedActions finished={finished} image={image} isGone={isGone} onCompare={onCompare} />
    </div>
  );
}

function RecoveredText({ cut: { afterMs } }: { cut: Cut }) {
  const t = useText(playgroundText);
  const seconds = useSeconds();
  return (
    <p className="text-label text-text-2">
      {afterMs === null ? t.recoveredLeft : t.recovered(seconds(afterMs))}
    </p>
  );
}
