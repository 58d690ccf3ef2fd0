import { shellText } from '../i18n/shell-text.ts';
import { useText } from '../i18n/text.ts';
import { useIsNewVersion } from '../lib/new-version.ts';
import { useJobsEndingWithPage, useRunningJobs } from '../lib/running-jobs.ts';
import { Button } from '../ui/button.tsx';

/** Offers to reload; does not do it by itself, because requests may be running here. */
export function NewVersionNotice() {
  const t = useText(shellText).newVersion;
  const isNewer = useIsNewVersion();
  const running = useRunningJobs();
  const ending = useJobsEndingWithPage();
  const text = running > 0 ? t.whileRunning : t.text;
  return (
    <div role="status">
      {isNewer && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line bg-accent-soft px-4 py-2 text-label">
          <p className="min-w-0 flex-1">
            <strong>{t.title}.</strong> {ending > 0 ? t.whileLosing : text}
          </p>
          <Button size="small" onClick={() => window.location.reload()}>
            {t.reload}
          </Button>
        </div>
      )}
    </div>
  );
}
