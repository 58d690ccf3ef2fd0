import { useEffect } from 'react';
import { useBootstrap } from '../../../api/bootstrap.ts';
import { playgroundText } from '../../../i18n/playground-text.ts';
import { useText } from '../../../i18n/text.ts';
import { elapsedMs, isActive } from '../../../jobs/job.ts';
import { formatElapsed } from '../../../lib/time-format.ts';
import { useNow } from './job/use-now.ts';
import { usePlayground } from './playground-context.tsx';

/** What the tab says while a request runs, and when the last one is done. */
export function TabTitle() {
  const t = useText(playgroundText);
  const { installation } = useBootstrap();
  const { jobs } = usePlayground();
  const running = jobs.find(isActive) ?? null;
  const now = useNow(running !== null);
  const isDone = jobs.at(-1)?.state.kind === 'done';
  const mark = running ? `(${formatElapsed(elapsedMs(running, now))}) ` : isDone ? '✓ ' : '';
  useEffect(() => {
    document.title = `${mark}${t.title} · ${installation.name}`;
  }, [mark, t.title, installation.name]);
  return null;
}
