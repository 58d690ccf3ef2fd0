import { useState } from 'react';
import { playgroundText } from '../../../../i18n/playground-text.ts';
import { useText } from '../../../../i18n/text.ts';
import type { JobResult } from '../../../../jobs/job.ts';
import { paths } from '../../../../paths.ts';
import { Button } from '../../../../ui/button.tsx';
import { Link } from '../../../../ui/link.tsx';
import { Notice } from '../../../../ui/notice.tsx';
import { useToast } from '../../../../ui/toast.tsx';
import { usePlayground } from '../playground-context.tsx';

/** The picture stays on the mat, paid for as it is; it only is not in the gallery. */
export function NotKeptNotice({ id, result: { kept } }: { id: string; result: JobResult }) {
  const t = useText(playgroundText).notKept;
  const { runner } = usePlayground();
  const toast = useToast();
  const [isTrying, setTrying] = useState(false);
  if (kept.kind !== 'failed') return null;
  const tryAgain = async () => {
    setTrying(true);
    const now = await runner.keepAgain(id);
    setTrying(false);
    if (now?.kind === 'failed') toast({ title: t.stillNot });
  };
  return (
    <Notice
      tone="warn"
      actions={
        <>
          <Button size="small" busy={isTrying} onClick={() => void tryAgain()}>
            {t.again}
          </Button>
          {kept.isFull && <Link to={paths.gallery()}>{t.freeSpace}</Link>}
        </>
      }
    >
      <p>{kept.isFull ? t.full : t.failed}</p>
    </Notice>
  );
}
