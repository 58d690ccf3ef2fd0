import type { Language } from '../../shared/languages.ts';

/** What a mail says, as the mailer takes it. */
export interface MailText {
  language: Language;
  subject: string;
  text: string;
}

/** With an empty line between them. Mail programs break the lines. */
export function paragraphs(texts: readonly string[]): string {
  return `${texts.join('\n\n')}\n`;
}

/** Of the service's address as its operator wrote it: addresses of pages begin with a slash. */
export function rootOf(publicUrl: string): string {
  return publicUrl.replace(/\/$/, '');
}
