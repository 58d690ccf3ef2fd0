import { playgroundText } from '../../../../i18n/playground-text.ts';
import { useText } from '../../../../i18n/text.ts';
import { elapsedMs, isActive, type Job } from '../../../../jobs/job.ts';
import { formatElapsed } from '../../../../lib/time-format.ts';
import { TraceLink } from '../../../../parts/trace-link.tsx';
import type { Tone } from '../../../../ui/notice.tsx';
import { Pill } from '../../../../ui/pill.tsx';
import { usePlayground } from '../playground-context.tsx';
import { CancelButton } from './cancel-button.tsx';
import { JobOutcome } from './job-outcome.tsx';
import { JobPace } from './job-pace.tsx';
import { NotifyButton } from './notify-button.tsx';
import { PreviewDots } from './preview-dots.tsx';
import { useNow } from './use-now.ts';

/** Below the mat while there is no picture: state, clock, previews, trace ID, Cancel; or how it ended. */
export function JobBar({ job }: { job: Job }) {
  const t = useText(playgroundText);
  const { runner } = usePlayground();
  const { state, traceId } = job;
  const now = useNow(isActive(job));
  return (
    // As high as the bar of a finished picture, which would push up the mat else, and on phones push down the settings.
    <div className="grid min-h-21 shrink-0 content-start gap-2 border-t border-line bg-surface px-4 py-2.5 max-sm:min-h-47">
      <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1">
        <Pill tone={tones[state.kind]}>{t.state[state.kind]}</Pill>
        {job.sentAtMs !== null && (
          <span className="tabular font-semibold" data-testid="elapsed">
            {formatElapsed(elapsedMs(job, now))}
          </span>
        )}
        {isActive(job) && <PreviewDots job={job} />}
        {isActive(job) && <JobPace job={job} nowMs={now} />}
        {traceId && <TraceLink traceId={traceId} />}
        {isActive(job) && (
          <span className="ml-auto flex items-center gap-1">
            <NotifyButton />
            <CancelButton
              isBusy={state.kind === 'cancelling'}
              onClick={() => void runner.cancel(job.id)}
            />
          </span>
        )}
      </div>
      <JobOutcome job={job} />
    </div>
  );
}

const tones: Readonly<Record<Job['state']['kind'], Tone>> = {
  queued: 'neutral',
  sending: 'accent',
  running: 'accent',
  cancelling: 'neutral',
  checking: 'warn',
  unresolved: 'warn',
  done: 'ok',
  image_lost: 'warn',
  failed: 'bad',
  cancelled: 'neutral',
};
