/** What a notice looks like as a webhook. docs/operating.md, section "Notices", is for its receivers. */
import { createHmac } from 'node:crypto';
import { formatAmount } from '../../shared/money.ts';
import { isoTime } from '../lib/time-text.ts';
import type { Notice } from './notice.ts';

/** The same on every try: made of nothing that changes. */
export function webhookBody(notice: Notice, currency: string): string {
  return JSON.stringify({
    id: notice.id,
    kind: notice.kind,
    created_at: isoTime(notice.createdAt),
    user_id: notice.userId,
    balance: formatAmount(notice.balance),
    threshold: formatAmount(notice.threshold),
    currency,
    trace_id: notice.traceId,
  });
}

/** Of a notice that only tries the way; its kind says so. */
export function testWebhookBody({ id, createdAt }: { id: string; createdAt: number }): string {
  return JSON.stringify({ id, kind: 'test', created_at: isoTime(createdAt) });
}

export interface SignedBody {
  id: string;
  body: string;
  secret: string;
  nowMs: number;
}

/** The signature covers the time, so that a receiver can refuse what somebody else sends again. */
export function webhookHeaders({ id, body, secret, nowMs }: SignedBody): Record<string, string> {
  const seconds = Math.floor(nowMs / 1000);
  const hmac = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return {
    'content-type': 'application/json',
    'tintype-notice-id': id,
    'tintype-signature': `t=${seconds},v1=${hmac}`,
  };
}
