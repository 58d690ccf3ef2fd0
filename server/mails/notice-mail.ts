/** What a notice looks like as a mail. */
import { pages } from '../../shared/console/pages.ts';
import type { Language } from '../../shared/languages.ts';
import type { Amount } from '../../shared/money.ts';
import { amountText, timeText } from './mail-figures.ts';
import { answerTo, type MailText, paragraphs, rootOf } from './mail-text.ts';
import { mailWords } from './mail-words.ts';

export interface LowBalance {
  id: string;
  /** Right after the change that led below the threshold, which was then. */
  balance: Amount;
  threshold: Amount;
  createdAt: number;
  /** Of the image request whose charge it was; null when an administrator took the money. */
  traceId: string | null;
}

export interface Reader {
  language: Language;
  /** IANA name. */
  zone: string;
}

/** What the installation says of itself, as its settings and options have it. */
export interface MailPlace {
  installationName: string;
  currency: string;
  /** How to add funds, in an administrator's words; may be empty. */
  topUpText: string;
  /** Whom to ask for help; empty for nobody. */
  contact: string;
  publicUrl: string | null;
}

export function lowBalanceText(
  notice: LowBalance,
  { language, zone }: Reader,
  { installationName: service, currency, topUpText, contact, publicUrl }: MailPlace,
): MailText {
  const { lowBalance: words, ...common } = mailWords[language];
  const balance = amountText(notice.balance, { language, currency });
  const threshold = amountText(notice.threshold, { language, currency });
  const time = timeText(notice.createdAt, { language, zone });
  const ways = [
    ...(publicUrl === null ? [] : [rootOf(publicUrl) + pages.wallet]),
    ...(topUpText === '' ? [] : [topUpText]),
  ];
  return {
    language,
    subject: words.subject(service, balance),
    ...answerTo(contact),
    text: paragraphs([
      words.fell({ service, threshold, balance, time }),
      `${words.until}\n${ways.length === 0 ? words.addFunds : words.addFundsBy}`,
      ...ways,
      ...(contact === '' ? [] : [common.contact(contact)]),
      [
        words.onceEach(threshold),
        common.notice(notice.id),
        ...(notice.traceId === null ? [] : [common.request(notice.traceId)]),
      ].join('\n'),
    ]),
  };
}

/** Of a notice that only tries the way. */
export function testNoticeText(
  id: string,
  { language, service }: { language: Language; service: string },
): MailText {
  const { test: words, notice } = mailWords[language];
  return {
    language,
    subject: words.subject(service),
    text: paragraphs([words.works(service), notice(id)]),
  };
}
