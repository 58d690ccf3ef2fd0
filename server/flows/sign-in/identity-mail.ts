/** Mails by which somebody signs in or up: plain words, one link, sent without making anybody wait. */
import { randomUUID } from 'node:crypto';
import { type LinkKind, secretLink } from '../../../shared/console/links.ts';
import type { Logger } from '../../lib/logger.ts';
import type { Mailer } from '../../lib/mailer.ts';

/** What sending a link takes; null where no mail can be sent. */
export interface LinkPost {
  mailer: Mailer;
  /** Never taken from a request: whoever sends one could make the link lead to themselves. */
  publicUrl: string;
  log: Logger;
}

type Letter =
  | { kind: Extract<LinkKind, 'password_reset' | 'registration' | 'invitation'>; secret: string }
  /** To the owner of an account, which somebody wanted to open again. */
  | { kind: 'known' };

/**
 * Sends a letter in the background: an answer that waited for it would tell by its time whether
 * there is such an account. A mail that is lost is asked for again.
 */
export function postLetter(
  { mailer, publicUrl, log }: LinkPost,
  { to, installation, letter }: { to: string; installation: string; letter: Letter },
): void {
  const { subject, text } = write(letter, { installation, publicUrl });
  mailer.send({ to, subject, text, id: randomUUID() }).then(
    (outcome) => {
      if (outcome.kind === 'failed') {
        log.warn({ reason: outcome.reason, letter: letter.kind }, 'a mail was not sent');
      }
    },
    (error: unknown) => log.error({ err: error, letter: letter.kind }, 'a mail was not sent'),
  );
}

function write(
  letter: Letter,
  { installation, publicUrl }: { installation: string; publicUrl: string },
): { subject: string; text: string } {
  const root = publicUrl.replace(/\/$/, '');
  const link =
    letter.kind === 'known' ? `${root}/login` : root + secretLink(letter.kind, letter.secret);
  switch (letter.kind) {
    case 'password_reset':
      return {
        subject: `${installation}: set a new password`,
        text: lines(
          'Somebody asked for a new password for your account. If it was you, set it here within',
          'an hour:',
          '',
          link,
          '',
          'If it was not you, do nothing: your password stays as it is.',
        ),
      };
    case 'registration':
      return {
        subject: `${installation}: open your account`,
        text: lines(
          'Somebody asked for an account with this address. If it was you, open it here within an',
          'hour:',
          '',
          link,
          '',
          'If it was not you, do nothing.',
        ),
      };
    case 'invitation':
      return {
        subject: `${installation}: you are invited`,
        text: lines(
          `You are invited to ${installation}. Open your account here within a week:`,
          '',
          link,
          '',
          'The link works once. Do not pass it on.',
        ),
      };
    case 'known':
      return {
        subject: `${installation}: you have an account already`,
        text: lines(
          'Somebody asked for an account with this address, which has one. If it was you, sign in:',
          '',
          link,
          '',
          'If it was not you, do nothing.',
        ),
      };
  }
}

function lines(...texts: readonly string[]): string {
  return `${texts.join('\n')}\n`;
}
