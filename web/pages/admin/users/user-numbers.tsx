import type { AdminUser } from '../../../../shared/console/admin-users.ts';
import { adminUsersText } from '../../../i18n/admin-users-text.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { useText } from '../../../i18n/text.ts';
import { paths } from '../../../paths.ts';
import { StatStrip } from '../../../ui/stat-strip.tsx';

export function UserNumbers({ user }: { user: AdminUser }) {
  const t = useText(adminUsersText);
  const formats = useFormats();
  const { id } = user;
  return (
    <StatStrip
      label={t.tabs.overview}
      stats={[
        {
          label: t.balance,
          value: formats.total(user.balance),
          note: user.held.micros === 0 ? null : `${t.held} ${formats.total(user.held)}`,
          to: paths.user(id, { tab: 'wallet' }),
        },
        {
          label: t.spend,
          value: user.spend_30d === null ? '–' : formats.total(user.spend_30d),
          to: paths.user(id, { tab: 'usage' }),
        },
        {
          label: t.requests,
          value: formats.number(user.requests_30d),
          note: user.running > 0 ? t.running(user.running) : null,
          to: paths.user(id, { tab: 'usage' }),
        },
        {
          label: t.keys,
          value: formats.number(user.keys),
          to: paths.user(id, { tab: 'keys' }),
        },
      ]}
    />
  );
}
