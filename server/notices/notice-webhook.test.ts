import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { amount } from '../../test/support/console/test-admin.ts';
import { loadReceiverExample } from '../../test/support/services/receiver-example.ts';
import type { Notice } from './notice.ts';
import { webhookBody, webhookHeaders } from './notice-webhook.ts';

const secret = 'a secret of the operator';
const nowMs = Date.UTC(2026, 10, 21, 14, 0, 3, 250);
const nowSeconds = Math.floor(nowMs / 1000);

const notice: Notice = {
  id: 'ntc_01kdvdna00r1hnf218w1804dn2',
  userId: 'usr_01kdvdna00r1hnf218w1804dn2',
  kind: 'low_balance',
  medium: 'webhook',
  balance: amount('4.96'),
  threshold: amount('5'),
  traceId: 'tr_01kdvdna00r1hnf218w1804dn2',
  createdAt: nowMs,
  tries: 1,
  nextTryAt: nowMs,
  failure: null,
  sentAt: null,
  givenUpAt: null,
};

const body = webhookBody(notice, 'USD');
const signature = signatureAt(nowMs);

describe("the operator's manual", () => {
  it('shows a webhook as it is', () => {
    const manual = readFileSync(new URL('../../docs/operating.md', import.meta.url), 'utf8');
    const shown = /```json\n([\s\S]*?)```/.exec(manual)?.[1] ?? '';
    expect(JSON.parse(shown)).toEqual(JSON.parse(body));
  });

  it.each([
    ['a notice as it was sent', {}, true],
    ['one that took its time', { nowSeconds: nowSeconds + 299 }, true],
    ['one that somebody sends again later', { nowSeconds: nowSeconds + 301 }, false],
    ['one with another body', { body: body.replace('4.96', '0.96') }, false],
    ['one with another time', { signature: signature.replace('t=1', 't=2') }, false],
    ['one signed with another secret', { secret: 'another secret of 16' }, false],
    ['one without a signature', { signature: undefined }, false],
    ['one with half a signature', { signature: signature.slice(0, 40) }, false],
  ])('has code that tells whether to believe %s', async (_what, changes, expected) => {
    const { isFromTintype } = await loadReceiverExample();
    expect(isFromTintype({ body, signature, secret, nowSeconds, ...changes })).toBe(expected);
  });
});

it('says the same on every try, but for the time of the signature', () => {
  expect(webhookBody({ ...notice, tries: 2, failure: 'answered 500' }, 'USD')).toBe(body);
  expect(signatureAt(nowMs + 1_000)).not.toBe(signature);
});

function signatureAt(ms: number): string {
  const headers = webhookHeaders({ id: notice.id, body, secret, nowMs: ms });
  return headers['tintype-signature'] ?? '';
}
