import type { ServingChange } from '../../../api/admin-upstreams.ts';
import { adminUpstreamsText } from '../../../i18n/admin-upstreams-text.ts';
import { useText } from '../../../i18n/text.ts';
import { uiText } from '../../../i18n/ui-text.ts';
import { Notice } from '../../../ui/notice.tsx';

/** What a change of an upstream meant for the models. */
export function ServingNotice({ change }: { change: ServingChange }) {
  const t = useText(adminUpstreamsText);
  const { listed } = useText(uiText);
  const { models_gained: gained, models_lost: lost } = change;
  return (
    <div role="status" className="grid gap-2 empty:hidden">
      {gained.length > 0 && <Notice tone="ok">{t.gained(listed(gained))}</Notice>}
      {lost.length > 0 && <Notice tone="warn">{t.lost(listed(lost))}</Notice>}
    </div>
  );
}
