/** Sends mails about how somebody signs in or up, without making anybody wait. */
import { randomUUID } from 'node:crypto';
import type { Language } from '../../../shared/languages.ts';
import type { Logger } from '../../lib/logger.ts';
import type { Mailer } from '../../lib/mailer.ts';
import { type Letter, letterText } from '../../mails/letter.ts';
import type { MailText } from '../../mails/mail-text.ts';

/** What sending a link takes; null where no mail can be sent. */
export interface LinkPost {
  mailer: Mailer;
  /** Never taken from a request: whoever sends one could make the link lead to themselves. */
  publicUrl: string;
  log: Logger;
}

/** What somebody who is not signed in says when they ask for one. */
export interface AskedMail {
  email: string;
  networkAddress: string | null;
  /** Of the page on which they ask; null where it is not known. */
  language: Language | null;
}

/**
 * Sends a letter in the background: an answer that waited for it would tell by its time whether
 * there is such an account. A mail that is lost is asked for again.
 */
export function postLetter(
  post: LinkPost,
  { to, letter, ...how }: { to: string; letter: Letter; language: Language; service: string },
): void {
  const text = letterText(letter, { ...how, publicUrl: post.publicUrl });
  postMail(post, { to, text, about: letter.kind });
}

/** @param about for the log, which says it of a mail that was not sent */
export function postMail(
  { mailer, log }: LinkPost,
  { to, text, about: letter }: { to: string; text: MailText; about: string },
): void {
  mailer.send({ to, ...text, id: randomUUID() }).then(
    (outcome) => {
      if (outcome.kind === 'failed') {
        log.warn({ reason: outcome.reason, letter }, 'a mail was not sent');
      }
    },
    (error: unknown) => log.error({ err: error, letter }, 'a mail was not sent'),
  );
}
