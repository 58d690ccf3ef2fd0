import { useQuery } from '@tanstack/react-query';
import type { ReadinessView } from '../../../shared/console/admin-overview.ts';
import { readinessQuery } from '../../api/admin-overview.ts';
import { adminCommonText } from '../../i18n/admin-common-text.ts';
import { useText } from '../../i18n/text.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../ui/link.tsx';
import { Notice } from '../../ui/notice.tsx';

/** Without these nobody can make an image; the rest of the checklist can wait. */
const needed: readonly ReadinessView['items'][number]['id'][] = [
  'upstream_connected',
  'model_list_chosen',
  'price_enabled',
  'model_available',
  'wallet_funded',
];

/** On the pages where it can be mended, as long as something is missing. */
export function ReadinessBanner() {
  const t = useText(adminCommonText);
  const { data } = useQuery(readinessQuery);
  const open = data?.items.filter(({ id, state }) => state === 'open' && needed.includes(id)) ?? [];
  if (open.length === 0) return null;
  return (
    <Notice tone="warn">
      <p>
        {t.notReady(open.length)} <Link to={paths.admin()}>{t.seeChecklist}</Link>
      </p>
    </Notice>
  );
}
