import type { Clock } from '../../lib/clock.ts';
import { createMailer, type MailerOptions } from '../../lib/mailer.ts';
import { createSafeFetch } from '../../lib/outgoing/safe-fetch.ts';
import type { NoticeMeans } from './deliver-notice.ts';

export interface NoticeOptions {
  noticeSecret: string | null;
  smtpUrl: string | null;
  mailFrom: string | null;
  /** Never taken from a request: whoever sends one could make the link lead to themselves. */
  publicUrl: string | null;
}

/** Less than for how long a notice is claimed: no other process sends it meanwhile. */
const mailTimeoutMs = 4 * 60_000;

/** Makes ready what notices are sent with; connects to nobody yet. */
export function openNoticeMeans(
  { noticeSecret, smtpUrl, mailFrom, publicUrl }: NoticeOptions,
  clock: Clock,
  onMail: MailerOptions['onOutcome'] = () => {},
): NoticeMeans {
  const hasMail = smtpUrl !== null && mailFrom !== null;
  return {
    clock,
    post: createSafeFetch({ clock }).post,
    secret: noticeSecret,
    mailer: hasMail
      ? createMailer(
          { url: smtpUrl, from: mailFrom, timeoutMs: mailTimeoutMs, onOutcome: onMail },
          clock,
        )
      : null,
    publicUrl,
  };
}
