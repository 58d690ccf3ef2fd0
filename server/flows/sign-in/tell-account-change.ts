import { readPreferences, requireUser } from '../../accounts/user-store.ts';
import type { Database } from '../../db/db.ts';
import type { Clock } from '../../lib/clock.ts';
import { type AccountChange, accountChangeText } from '../../mails/account-change-mail.ts';
import type { SettingsCache } from '../../settings/settings-cache.ts';
import { type LinkPost, postMail } from './identity-mail.ts';

interface TellingDeps {
  database: Database;
  clock: Clock;
  settings: SettingsCache;
  /** Null where no mail can be sent. */
  linkPost: LinkPost | null;
}

/**
 * Tells a user by mail what was just changed of how they sign in, in the background: the change is
 * made, and whoever made it is not to hear of trouble with a mail.
 */
export function tellAccountChange(
  { clock, linkPost, ...stores }: TellingDeps,
  { userId, kind }: { userId: string; kind: AccountChange['kind'] },
): void {
  if (linkPost === null) return;
  const { publicUrl, log } = linkPost;
  writeMail(stores, { userId, change: { kind, changedAt: clock.now() }, publicUrl }).then(
    (mail) => postMail(linkPost, { ...mail, about: kind }),
    (error: unknown) => log.error({ err: error, letter: kind }, 'a mail was not sent'),
  );
}

/** In the language and the time zone that the user chose, as notices are. */
async function writeMail(
  { database, settings }: Pick<TellingDeps, 'database' | 'settings'>,
  { userId, change, publicUrl }: { userId: string; change: AccountChange; publicUrl: string },
) {
  const { email } = await requireUser(database, userId);
  const chosen = await readPreferences(database, userId);
  const { defaultLanguage, defaultZone, ...place } = await settings.current();
  const reader = {
    language: chosen.language ?? defaultLanguage,
    zone: chosen.zone ?? defaultZone,
  };
  return { to: email, text: accountChangeText(change, reader, { ...place, publicUrl }) };
}
