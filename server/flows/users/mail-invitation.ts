import { requireUser } from '../../accounts/user-store.ts';
import type { Database } from '../../db/db.ts';
import type { SettingsCache } from '../../settings/settings-cache.ts';
import { type LinkPost, postLetter } from '../sign-in/identity-mail.ts';
import type { MadeInvitation } from './invite-user.ts';

/**
 * Mails an invitation to its address, in the name of who made it. Its language is the installation's:
 * whoever is invited chose none yet, as others did who get that one.
 */
export async function mailInvitation(
  { database, settings, post }: { database: Database; settings: SettingsCache; post: LinkPost },
  { to, made: { invitation, secret } }: { to: string; made: MadeInvitation },
): Promise<void> {
  const { installationName: service, defaultLanguage: language } = await settings.current();
  const inviter = await requireUser(database, invitation.invitedBy);
  postLetter(post, { to, letter: { kind: 'invitation', secret, inviter }, language, service });
}
