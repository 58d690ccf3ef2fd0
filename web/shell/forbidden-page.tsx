import { useUser } from '../api/bootstrap.ts';
import { shellText } from '../i18n/shell-text.ts';
import { useText } from '../i18n/text.ts';
import { Page } from '../parts/page.tsx';
import { paths } from '../paths.ts';
import { Link } from '../ui/link.tsx';

/** Only admins have rights that not everybody has. */
const neededRole = 'admin';

export function ForbiddenPage() {
  const t = useText(shellText);
  const { email, role } = useUser();
  const { roles } = t.forbidden;
  return (
    <Page title={t.forbidden.title} width="reading">
      <p>{t.forbidden.text(roles[neededRole])}</p>
      <p className="text-text-2">{t.forbidden.who(email, roles[role])}</p>
      <p>
        <Link to={paths.playground()}>{t.notFound.home}</Link>
      </p>
    </Page>
  );
}
