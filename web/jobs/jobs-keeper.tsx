import { useEffect, useState } from 'react';
import { playgroundText } from '../i18n/playground-text.ts';
import { useText } from '../i18n/text.ts';
import { useJobRunner } from './jobs.ts';
import { notify } from './notifications.ts';

/** On every page: says aloud what happens to requests. Events only; a clock would never be silent. */
export function JobsKeeper() {
  const t = useText(playgroundText);
  const runner = useJobRunner();
  const [said, setSaid] = useState('');
  useEffect(
    () =>
      runner.watch(({ kind, job }) => {
        setSaid(
          kind === 'preview' ? t.announce.preview(job.preview?.number ?? 1) : t.announce[kind],
        );
        if (kind === 'finished') notify(t.notified.title);
        if (kind === 'failed') notify(t.notified.failed);
      }),
    [runner, t],
  );
  return (
    <p role="status" data-testid="announcements" className="sr-only">
      {said}
    </p>
  );
}
