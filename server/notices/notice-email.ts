/** What a notice looks like as an e-mail: plain words, for somebody who never saw this service's inside. */
import { formatAmount } from '../../shared/money.ts';
import { formatLocalTime } from '../lib/time-text.ts';
import type { Notice } from './notice.ts';

export interface EmailText {
  subject: string;
  text: string;
}

export function lowBalanceEmail(notice: Notice, currency: string): EmailText {
  const balance = `${formatAmount(notice.balance)} ${currency}`;
  const threshold = `${formatAmount(notice.threshold)} ${currency}`;
  return {
    subject: `Your image balance is low: ${balance}`,
    text: lines(
      `Your balance for images fell below ${threshold}: it was ${balance} on ` +
        `${formatLocalTime(notice.createdAt, 'UTC')} UTC.`,
      '',
      'You can go on until it no longer covers the price of a picture; requests are refused then.',
      'Add funds to avoid that.',
      '',
      `You get this message once each time your balance falls below ${threshold}.`,
      `Notice: ${notice.id}`,
      ...(notice.traceId === null ? [] : [`Request: ${notice.traceId}`]),
    ),
  };
}

/** Of a notice that only tries the way. */
export function testEmail(id: string): EmailText {
  return {
    subject: 'Test of low-balance notices',
    text: lines(
      'An operator of the image service tried whether its messages reach this address. They do.',
      'There is nothing to be done.',
      '',
      `Notice: ${id}`,
    ),
  };
}

function lines(...texts: readonly string[]): string {
  return `${texts.join('\n')}\n`;
}
