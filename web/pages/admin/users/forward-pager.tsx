import { adminUsersText } from '../../../i18n/admin-users-text.ts';
import { useText } from '../../../i18n/text.ts';
import type { Target } from '../../../paths.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { Link } from '../../../ui/link.tsx';

/** For lists that only know where the next page begins; the browser's Back goes back. */
export function ForwardPager({ first, next }: { first: Target | null; next: Target | null }) {
  const t = useText(adminUsersText);
  if (!first && !next) return null;
  return (
    <nav aria-label={t.pages} className="flex justify-end gap-2">
      {first && (
        <Link to={first} look="plain" className={buttonClass('secondary')}>
          {t.first}
        </Link>
      )}
      {next && (
        <Link to={next} look="plain" className={buttonClass('secondary')}>
          {t.next}
        </Link>
      )}
    </nav>
  );
}
