/** Mails by which somebody signs in or up: what happened, one link, and what to do about it. */
import { type LinkKind, secretLink } from '../../shared/console/links.ts';
import { pages } from '../../shared/console/pages.ts';
import type { Language } from '../../shared/languages.ts';
import { type MailText, paragraphs, rootOf } from './mail-text.ts';
import { mailWords } from './mail-words.ts';

export type Letter =
  | { kind: Extract<LinkKind, 'password_reset' | 'registration' | 'invitation'>; secret: string }
  /** To the owner of an account, which somebody wanted to open again. */
  | { kind: 'known' };

export function letterText(
  letter: Letter,
  { language, service, publicUrl }: { language: Language; service: string; publicUrl: string },
): MailText {
  const words = mailWords[language].letters[letter.kind];
  const path = letter.kind === 'known' ? pages.login : secretLink(letter.kind, letter.secret);
  return {
    language,
    subject: words.subject(service),
    text: paragraphs([words.before(service), rootOf(publicUrl) + path, words.after]),
  };
}
