import { adminCommonText } from '../../i18n/admin-common-text.ts';
import { fill } from '../../i18n/fill.tsx';
import { useText } from '../../i18n/text.ts';
import { uiText } from '../../i18n/ui-text.ts';

/** Who did something: a person by e-mail address, somebody on the command line, or the service. */
export function ActorName({ actor, email }: { actor: string; email: string | null }) {
  const t = useText(adminCommonText);
  const { aside } = useText(uiText);
  if (email !== null) return <span translate="no">{email}</span>;
  if (actor === 'system') return <>{t.service}</>;
  const [kind, name] = actor.split(':');
  if (kind === 'cli' && name !== undefined) {
    return (
      <>
        {t.commandLine}
        {fill(aside, { text: <span translate="no">{name}</span> })}
      </>
    );
  }
  return <span translate="no">{actor}</span>;
}
