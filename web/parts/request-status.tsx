import type { UsageRow } from '../../shared/console/usage.ts';
import { requestText } from '../i18n/request-text.ts';
import { useText } from '../i18n/text.ts';
import type { Tone } from '../ui/notice.tsx';
import { Pill } from '../ui/pill.tsx';

/** The status of a request in a word; one that failed says why. */
export function RequestStatus({ status, code }: Pick<UsageRow, 'status' | 'code'>) {
  const t = useText(requestText);
  return (
    <span className="inline-flex flex-wrap items-center gap-x-1.5 whitespace-nowrap">
      <Pill tone={tones[status]}>{t.statuses[status]}</Pill>
      {status === 'failed' && code && (
        <span className="text-label text-text-2">{t.codes[code]}</span>
      )}
    </span>
  );
}

const tones = {
  running: 'accent',
  succeeded: 'ok',
  failed: 'bad',
  canceled: 'neutral',
} as const satisfies Readonly<Record<UsageRow['status'], Tone>>;
