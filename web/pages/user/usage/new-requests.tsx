import { RefreshCw } from 'lucide-react';
import { useText } from '../../../i18n/text.ts';
import { uiText } from '../../../i18n/ui-text.ts';
import { usageText } from '../../../i18n/usage-text.ts';
import { Button } from '../../../ui/button.tsx';
import { icon } from '../../../ui/icon.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Popover } from '../../../ui/popover.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { type NewRequestsState, type Refresh, refreshes } from './use-new-requests.ts';

/**
 * How often new ones are looked for, and that there are some. The line is there from the beginning,
 * so that the rows below it stay where they are.
 */
export function NewRequests({ news }: { news: NewRequestsState }) {
  const t = useText(usageText);
  const { count, isMore, show, refresh, setRefresh } = news;
  return (
    <div className="-my-1 -ml-2 flex min-h-8 items-center gap-2 text-label text-text-2 print:hidden">
      <RefreshChoice value={refresh} onChange={setRefresh} />
      {count === 0 && <p>{t.refreshed[refresh]}</p>}
      <div role="status">
        {count > 0 && (
          <p className="flex items-center gap-2 font-semibold text-accent">
            {t.newRequests(count, isMore)}
            <Button size="small" onClick={show}>
              {t.showNew}
            </Button>
          </p>
        )}
      </div>
    </div>
  );
}

function RefreshChoice({
  value,
  onChange,
}: {
  value: Refresh;
  onChange: (refresh: Refresh) => void;
}) {
  const t = useText(usageText);
  const { labelled } = useText(uiText);
  return (
    <Popover
      align="start"
      title={t.refresh}
      trigger={
        <IconButton
          label={labelled(t.refresh, t.refreshes[value])}
          icon={<RefreshCw {...icon} />}
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
