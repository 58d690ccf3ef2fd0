import { useUser } from '../../../../api/bootstrap.ts';
import { useFormats } from '../../../../i18n/formats.tsx';
import { playgroundText } from '../../../../i18n/playground-text.ts';
import { useText } from '../../../../i18n/text.ts';
import type { Job } from '../../../../jobs/job.ts';
import { Notice } from '../../../../ui/notice.tsx';
import { CutNotice } from './cut-notice.tsx';
import { FailureNotice } from './failure-notice.tsx';

/** What there is to say of a request besides its state: nothing, mostly. */
export function JobOutcome({ job }: { job: Job }) {
  const t = useText(playgroundText);
  const { slots } = useUser();
  const formats = useFormats();
  const { state } = job;
  switch (state.kind) {
    case 'queued':
      return <Line>{state.wasRefused ? t.refusedText(slots.max) : t.queuedText}</Line>;
    case 'running':
      if (state.cancel === 'too_late') return <Line>{t.tooLateToCancel}</Line>;
      return state.cancel === 'failed' ? <Line>{t.cancelFailed}</Line> : null;
    case 'checking':
    case 'unresolved':
      return <CutNotice job={job} state={state} />;
    case 'image_lost':
      return (
        <Notice tone="warn">
          <p>{t.imageLost(formats.price(state.settled.cost))}</p>
        </Notice>
      );
    case 'cancelled':
      return <Line>{state.settled ? t.cancelledUncharged : t.cancelledUnsent}</Line>;
    case 'failed':
      return <FailureNotice failure={{ job, error: state.error, settled: state.settled }} />;
    case 'sending':
    case 'cancelling':
    case 'done':
      return null;
  }
}

function Line({ children }: { children: string }) {
  return <p className="text-label text-text-2">{children}</p>;
}
