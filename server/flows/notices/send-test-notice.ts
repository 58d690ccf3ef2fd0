import type { Language } from '../../../shared/languages.ts';
import { readLanguage } from '../../accounts/user-store.ts';
import type { Db } from '../../db/db.ts';
import type { NoticeMedium } from '../../db/schema.ts';
import { makeId } from '../../lib/ids.ts';
import { testNoticeText } from '../../mails/notice-mail.ts';
import { testWebhookBody } from '../../notices/notice-webhook.ts';
import { readSettings } from '../../settings/settings-store.ts';
import { type Delivery, type NoticeMeans, postWebhook } from './deliver-notice.ts';

export interface TestResult {
  medium: NoticeMedium;
  id: string;
  delivery: Delivery;
}

/**
 * Tries the ways that are set up, once and at once: the webhook, and an e-mail to `email` if there is
 * one. Writes nothing down. Empty when there is no way to try.
 */
export async function sendTestNotice(
  db: Db,
  means: NoticeMeans,
  { email }: { email: string | null },
): Promise<readonly TestResult[]> {
  const { noticeWebhookUrl: url, installationName, defaultLanguage } = await readSettings(db);
  const results: TestResult[] = [];
  if (url !== '') results.push(await tryWebhook(means, url));
  if (email !== null) {
    const language = (await readLanguage(db, email.trim().toLowerCase())) ?? defaultLanguage;
    results.push(await tryEmail(means, { to: email, language, service: installationName }));
  }
  return results;
}

async function tryWebhook(means: NoticeMeans, url: string): Promise<TestResult> {
  const createdAt = means.clock.now();
  const id = makeId('ntc', createdAt);
  const body = testWebhookBody({ id, createdAt });
  return { medium: 'webhook', id, delivery: await postWebhook(means, { url, id, body }) };
}

async function tryEmail(
  { clock, mailer }: NoticeMeans,
  { to, ...place }: { to: string; language: Language; service: string },
): Promise<TestResult> {
  const id = makeId('ntc', clock.now());
  const delivery: Delivery = mailer
    ? await mailer.send({ to, ...testNoticeText(id, place), id })
    : { kind: 'failed', reason: 'TINTYPE_SMTP_URL is not set', isFinal: true };
  return { medium: 'email', id, delivery };
}
