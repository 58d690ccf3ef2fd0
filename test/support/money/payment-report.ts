/** Signs reports of payments as docs/payments.md says, without a line of the service's own. */
import { createHmac } from 'node:crypto';
import type { Answer } from '../callers/api.ts';
import { postSigned } from './stripe-service.ts';

export const reportSecret = 'a secret of sixteen characters or more';

export function signatureOf(
  body: string,
  { nowMs, secret = reportSecret }: { nowMs: number; secret?: string },
): string {
  const seconds = Math.floor(nowMs / 1000);
  const hex = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return `t=${seconds},v1=${hex}`;
}

export function sendReport(
  baseUrl: string,
  report: object,
  { nowMs }: { nowMs: number },
): Promise<Answer> {
  const body = JSON.stringify(report);
  const headers = { 'tintype-signature': signatureOf(body, { nowMs }) };
  return postSigned(`${baseUrl}/webhooks/payments`, body, headers);
}
