import { playgroundText } from '../../../i18n/playground-text.ts';
import { useText } from '../../../i18n/text.ts';
import type { JobResult } from '../../../jobs/job.ts';
import { paths } from '../../../paths.ts';
import { Link } from '../../../ui/link.tsx';
import { Notice } from '../../../ui/notice.tsx';

/** The picture stays on the mat, paid for as it is; it only is not in the gallery. */
export function NotKeptNotice({ result: { kept } }: { result: JobResult }) {
  const t = useText(playgroundText).notKept;
  if (kept.kind !== 'failed') return null;
  return (
    <Notice
      tone="warn"
      {...(kept.isFull ? { actions: <Link to={paths.gallery()}>{t.freeSpace}</Link> } : {})}
    >
      <p>{kept.isFull ? t.full : t.failed}</p>
    </Notice>
  );
}
