import { playgroundText } from '../../../../i18n/playground-text.ts';
import { useText } from '../../../../i18n/text.ts';
import type { Cut, Job } from '../../../../jobs/job.ts';
import { Button } from '../../../../ui/button.tsx';
import { Notice } from '../../../../ui/notice.tsx';
import { usePlayground } from '../playground-context.tsx';
import { useSeconds } from '../use-seconds.ts';
import { proxyLimitSeconds } from './proxy-limit.ts';

/** A connection that ended before the result: when, why if that is known, and what is known of the request. */
export function CutNotice({
  job,
  state,
}: {
  job: Job;
  state: { kind: 'checking' | 'unresolved'; cut: Cut };
}) {
  const t = useText(playgroundText);
  const { runner } = usePlayground();
  const { cut, kind } = state;
  return (
    <Notice
      tone="warn"
      actions={
        kind === 'unresolved' && (
          <Button size="small" onClick={() => runner.check(job.id)}>
            {t.checkResult}
          </Button>
        )
      }
    >
      <CutText cut={cut} wasReached={job.traceId !== null} />
      <p>{kind === 'checking' ? t.checkingText : t.unresolvedText}</p>
    </Notice>
  );
}

function CutText({ cut, wasReached }: { cut: Cut; wasReached: boolean }) {
  const t = useText(playgroundText);
  const seconds = useSeconds();
  if (!wasReached) return <p>{t.cutUnreached}</p>;
  if (cut.afterMs === null) return <p>{t.pageLeft}</p>;
  const limit = proxyLimitSeconds(cut.afterMs);
  return (
    <>
      <p>{t.cut(seconds(cut.afterMs))}</p>
      {limit !== null && <p>{t.proxyHint(seconds(limit * 1_000))}</p>}
    </>
  );
}
