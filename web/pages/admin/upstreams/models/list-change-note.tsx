import type { ModelListChange } from '../../../../api/admin-upstreams.ts';
import { adminUpstreamsText } from '../../../../i18n/admin-upstreams-text.ts';
import { useText } from '../../../../i18n/text.ts';
import { ListDifference } from './list-difference.tsx';

/** What a fresh list has that the one before had not, and the other way round. */
export function ListChangeNote({ change: { listed, added, gone } }: { change: ModelListChange }) {
  const t = useText(adminUpstreamsText);
  return (
    <div role="status" className="grid gap-1 text-label text-text-2">
      <p>
        {t.fetched(listed)}
        {' · '}
        {added.length === 0 && gone.length === 0 ? t.unchanged : null}
        {added.length > 0 && <span className="text-ok">{t.added(added.length)}</span>}
        {added.length > 0 && gone.length > 0 && ' · '}
        {gone.length > 0 && <span className="text-warn">{t.gone(gone.length)}</span>}
      </p>
      <ListDifference added={added} gone={gone} />
    </div>
  );
}
