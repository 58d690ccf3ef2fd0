/** One try to send a notice: what is said to whom, and what the answer means. */
import { findUser, readPreferences } from '../../accounts/user-store.ts';
import type { Db } from '../../db/db.ts';
import type { NoticeMedium } from '../../db/schema.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Mailer } from '../../lib/mailer.ts';
import type { Post } from '../../lib/outgoing/safe-fetch.ts';
import { lowBalanceText } from '../../mails/notice-mail.ts';
import type { Notice } from '../../notices/notice.ts';
import { webhookBody, webhookHeaders } from '../../notices/notice-webhook.ts';
import type { Settings } from '../../settings/settings.ts';

/** What sending takes besides the settings. */
export interface NoticeMeans {
  clock: Clock;
  post: Post;
  /** Signs webhooks. */
  secret: string | null;
  /** Null where no mail server is configured. */
  mailer: Mailer | null;
  /** Where the console is; null where nobody said. */
  publicUrl: string | null;
}

/** A reason never holds the webhook's URL, an address, or what the other side said. */
export type Delivery =
  | { kind: 'sent' }
  /** @param isFinal another try would fare no better */
  | { kind: 'failed'; reason: string; isFinal: boolean };

/** A notice whose medium is off can reach nobody, now or later. */
export function isOff(
  medium: NoticeMedium,
  { means, settings }: { means: NoticeMeans; settings: Settings },
): boolean {
  return medium === 'webhook' ? settings.noticeWebhookUrl === '' : means.mailer === null;
}

export function deliverNotice(
  db: Db,
  notice: Notice,
  { means, settings, signal }: { means: NoticeMeans; settings: Settings; signal: AbortSignal },
): Promise<Delivery> {
  if (notice.medium === 'email') return deliverByEmail(db, notice, { means, settings, signal });
  const { id } = notice;
  const body = webhookBody(notice, settings.currency);
  return postWebhook(means, { url: settings.noticeWebhookUrl, id, body, signal });
}

const webhookTimeoutMs = 10_000;

/**
 * 2xx is thanks. 410 is a receiver that wants no more of it. Everything else, the other 4xx too, is
 * taken for something that somebody mends within the day: a route not deployed yet, a wrong secret.
 */
export async function postWebhook(
  { clock, post, secret }: NoticeMeans,
  { url, id, body, signal }: { url: string; id: string; body: string; signal?: AbortSignal },
): Promise<Delivery> {
  if (secret === null) return failed('TINTYPE_NOTICE_SECRET is not set');
  const headers = webhookHeaders({ id, body, secret, nowMs: clock.now() });
  const outcome = await post(url, {
    headers,
    body,
    timeoutMs: webhookTimeoutMs,
    ...(signal && { signal }),
  });
  if (outcome.kind === 'failed') return failed(outcome.reason);
  const { status } = outcome;
  if (status >= 200 && status < 300) return { kind: 'sent' };
  return { ...failed(`answered ${status}`), isFinal: status === goneStatus };
}

const goneStatus = 410;

/** To the address that the user has now, in the language that they have chosen by now. */
async function deliverByEmail(
  db: Db,
  notice: Notice,
  {
    means: { mailer, publicUrl },
    settings,
    signal,
  }: { means: NoticeMeans; settings: Settings; signal: AbortSignal },
): Promise<Delivery> {
  if (mailer === null) return failed('TINTYPE_SMTP_URL is not set');
  const user = await findUser(db, notice.userId);
  if (!user || user.disabledAt !== null) {
    return { ...failed('the user is disabled'), isFinal: true };
  }
  const chosen = await readPreferences(db, user.id);
  const reader = {
    language: chosen.language ?? settings.defaultLanguage,
    zone: chosen.zone ?? settings.defaultZone,
  };
  const text = lowBalanceText(notice, reader, { ...settings, publicUrl });
  return mailer.send({ to: user.email, ...text, id: notice.id }, signal);
}

function failed(reason: string): Delivery & { kind: 'failed' } {
  return { kind: 'failed', reason, isFinal: false };
}
