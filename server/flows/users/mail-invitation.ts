import type { Language } from '../../../shared/languages.ts';
import { requireUser } from '../../accounts/user-store.ts';
import type { Database } from '../../db/db.ts';
import type { SettingsCache } from '../../settings/settings-cache.ts';
import { type LinkPost, postLetter } from '../sign-in/identity-mail.ts';
import type { MadeInvitation } from './invite-user.ts';

/**
 * Mails an invitation to its address, in the name of who made it, and in the language that they chose
 * for it: whoever is invited chose none yet.
 *
 * @param language null for the installation's
 */
export async function mailInvitation(
  { database, settings, post }: { database: Database; settings: SettingsCache; post: LinkPost },
  {
    to,
    language,
    made: { invitation, secret },
  }: { to: string; language: Language | null; made: MadeInvitation },
): Promise<void> {
  const { installationName: service, defaultLanguage } = await settings.current();
  const inviter = await requireUser(database, invitation.invitedBy);
  const letter = { kind: 'invitation', secret, inviter } as const;
  postLetter(post, { to, letter, language: language ?? defaultLanguage, service });
}
