import type { Language } from '../../shared/languages.ts';

/** What a mail says, as the mailer takes it. */
export interface MailText {
  language: Language;
  subject: string;
  text: string;
  /** Who helps, where that is an address: whoever answers the mail asks them. */
  replyTo?: string;
}

/** @param contact as an administrator wrote it: an address, or a sentence */
export function answerTo(contact: string): Pick<MailText, 'replyTo'> {
  return /^[^\s<>@,]+@[^\s<>@,]+$/.test(contact) ? { replyTo: contact } : {};
}

/** With an empty line between them. Mail programs break the lines. */
export function paragraphs(texts: readonly string[]): string {
  return `${texts.join('\n\n')}\n`;
}

/** Of the service's address as its operator wrote it: addresses of pages begin with a slash. */
export function rootOf(publicUrl: string): string {
  return publicUrl.replace(/\/$/, '');
}
