import { RefreshCw } from 'lucide-react';
import { useText } from '../../../i18n/text.ts';
import { usageText } from '../../../i18n/usage-text.ts';
import { Button } from '../../../ui/button.tsx';
import { icon } from '../../../ui/icon.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Popover } from '../../../ui/popover.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { type NewRequestsState, type Refresh, refreshes } from './use-new-requests.ts';

/** That there are new ones, above the rows, which stay where they are. */
export function NewRequests({ news }: { news: NewRequestsState }) {
  const t = useText(usageText);
  const { count, isMore, show } = news;
  return (
    <div role="status" className="empty:absolute">
      {count > 0 && (
        <p className="flex items-center justify-center gap-2 rounded-control bg-accent-soft px-3 py-1 text-label text-accent">
          {t.newRequests(count, isMore)}
          <Button size="small" onClick={show}>
            {t.showNew}
          </Button>
        </p>
      )}
    </div>
  );
}

export function RefreshChoice({
  value,
  onChange,
}: {
  value: Refresh;
  onChange: (refresh: Refresh) => void;
}) {
  const t = useText(usageText);
  return (
    <Popover
      align="end"
      title={t.refresh}
      trigger={
        <IconButton
          label={`${t.refresh}: ${t.refreshes[value]}`}
          icon={<RefreshCw {...icon} />}
          className="max-sm:hidden"
        />
      }
    >
      <Segmented
        isWide
        label={t.refresh}
        value={value}
        choices={refreshes.map((each) => ({ value: each, label: t.refreshes[each] }))}
        onChange={onChange}
      />
    </Popover>
  );
}
