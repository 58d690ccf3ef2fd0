/** Mails by which somebody signs in or up: what happened, one link, and what to do about it. */
import { type LinkKind, secretLink } from '../../shared/console/links.ts';
import { pages } from '../../shared/console/pages.ts';
import type { Language } from '../../shared/languages.ts';
import { type Inviter, inviterText } from './inviter.ts';
import { type MailText, paragraphs, rootOf } from './mail-text.ts';
import { mailWords } from './mail-words.ts';

export type Letter =
  | { kind: Extract<LinkKind, 'password_reset' | 'registration'>; secret: string }
  | { kind: Extract<LinkKind, 'invitation'>; secret: string; inviter: Inviter }
  /** To the owner of an account, which somebody wanted to open again. */
  | { kind: 'known' };

export function letterText(
  letter: Letter,
  { language, service, publicUrl }: { language: Language; service: string; publicUrl: string },
): MailText {
  const { letters, inviter } = mailWords[language];
  const words = letters[letter.kind];
  const before =
    letter.kind === 'invitation'
      ? letters.invitation.before(service, inviterText(letter.inviter, inviter))
      : letters[letter.kind].before(service);
  const path = letter.kind === 'known' ? pages.login : secretLink(letter.kind, letter.secret);
  return {
    language,
    subject: words.subject(service),
    text: paragraphs([before, rootOf(publicUrl) + path, words.after]),
  };
}
