/** What a notice looks like as an e-mail: plain words, for somebody who never saw this service's inside. */
import { pages } from '../../shared/console/pages.ts';
import { formatAmount } from '../../shared/money.ts';
import { formatLocalTime } from '../lib/time-text.ts';
import type { Notice } from './notice.ts';

export interface EmailText {
  subject: string;
  text: string;
}

/** What the installation says of itself, as its settings and options have it. */
export interface EmailPlace {
  installationName: string;
  currency: string;
  /** How to add funds, in an administrator's words; may be empty. */
  topUpText: string;
  publicUrl: string | null;
}

export function lowBalanceEmail(notice: Notice, place: EmailPlace): EmailText {
  const { installationName, currency, topUpText, publicUrl } = place;
  const balance = `${formatAmount(notice.balance)} ${currency}`;
  const threshold = `${formatAmount(notice.threshold)} ${currency}`;
  const ways = [
    ...(publicUrl === null ? [] : [publicUrl.replace(/\/$/, '') + pages.wallet]),
    ...(topUpText === '' ? [] : [topUpText]),
  ];
  return {
    subject: `${installationName}: your balance is low, ${balance}`,
    text: lines(
      `Your balance at ${installationName} fell below ${threshold}: it was ${balance} on ` +
        `${formatLocalTime(notice.createdAt, 'UTC')} UTC.`,
      '',
      'You can go on until it no longer covers the price of a picture; requests are refused then.',
      `To avoid that, add funds to your wallet${ways.length === 0 ? '.' : ':'}`,
      ...ways.flatMap((way) => ['', way]),
      '',
      `You get this message once each time your balance falls below ${threshold}.`,
      `Notice: ${notice.id}`,
      ...(notice.traceId === null ? [] : [`Request: ${notice.traceId}`]),
    ),
  };
}

/** Of a notice that only tries the way. */
export function testEmail(id: string, installationName: string): EmailText {
  return {
    subject: `${installationName}: a test of low-balance notices`,
    text: lines(
      `An operator of ${installationName} tried whether its messages reach this address. They do.`,
      'There is nothing to be done.',
      '',
      `Notice: ${id}`,
    ),
  };
}

function lines(...texts: readonly string[]): string {
  return `${texts.join('\n')}\n`;
}
