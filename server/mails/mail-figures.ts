/** Amounts and times in mails, written as the console writes them. */
import type { Language } from '../../shared/languages.ts';
import { type Amount, formatAmount } from '../../shared/money.ts';

/** Exactly, with two, four or six decimals: three would read as thousands. */
export function amountText(
  amount: Amount,
  { language, currency }: { language: Language; currency: string },
): string {
  // The decimal text is exact, and formatted as it stands.
  const text = formatAmount(amount) as `${number}`;
  const decimals = text.length - text.indexOf('.') - 1;
  const shown = decimals + (decimals % 2);
  return new Intl.NumberFormat(language, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: shown,
    maximumFractionDigits: shown,
  }).format(text);
}

/** `1 Jan 2026, 08:00:00 (Asia/Shanghai)`: a mail is read far from any page that names the zone. */
export function timeText(
  ms: number,
  { language, zone }: { language: Language; zone: string },
): string {
  const time = new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
    timeZone: zone,
    dateStyle: 'medium',
    timeStyle: 'medium',
    hourCycle: 'h23',
  }).format(ms);
  return language === 'zh-CN' ? `${time}（${zone}）` : `${time} (${zone})`;
}
