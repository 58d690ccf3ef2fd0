/** How values become text here and now: by the language, the zone and the currency in force. */
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { type Amount, amountFromMicros } from '../../shared/money.ts';
import {
  formatMoney,
  formatPrice,
  formatSpendable,
  formatTotal,
  priceDecimals,
} from '../lib/money-format.ts';
import { isZone } from '../lib/range-search.ts';
import {
  type DurationOptions,
  formatBytes,
  formatDate,
  formatDuration,
  formatRelative,
  formatTime,
  isoInZone,
} from '../lib/time-format.ts';
import { type Locale, useLocale } from './locale.ts';

/** As the API sends amounts. */
export interface WireAmount {
  micros: number;
}

export interface Formats {
  locale: Locale;
  /** IANA name of the zone in force. */
  zone: string;
  currency: string;
  /** A price or single charge. */
  price(amount: WireAmount): string;
  /** A price among others of its column: all of them get the same decimals, and none less than it needs. */
  prices(amounts: readonly WireAmount[]): (amount: WireAmount) => string;
  /** A sum or balance, exactly. */
  total(amount: WireAmount): string;
  /** A balance rounded down to what can surely be spent. */
  spendable(amount: WireAmount): string;
  /** A change of a balance, always with its sign. */
  change(amount: WireAmount, decimals?: number): string;
  number(value: number): string;
  percent(share: number): string;
  bytes(count: number): string;
  duration(ms: number, options?: DurationOptions): string;
  /** `14 Nov 2025, 13:05:09` */
  time(iso: string, zone?: string): string;
  /** `14 Nov 2025` */
  date(iso: string, zone?: string): string;
  relative(iso: string, nowMs: number): string;
  /** ISO 8601 with the zone's offset. */
  isoTime(iso: string, zone?: string): string;
}

function createFormats(locale: Locale, zone: string, currency: string): Formats {
  const money = { locale, currency };
  const numbers = new Intl.NumberFormat(locale);
  const percents = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
  /** Each cell of a column asks for all of it. */
  const columns = new WeakMap<readonly WireAmount[], (wire: WireAmount) => string>();
  const amount = ({ micros }: WireAmount): Amount => amountFromMicros(micros);
  return {
    locale,
    zone,
    currency,
    price: (wire) => formatPrice(amount(wire), money),
    prices: (wires) => {
      const known = columns.get(wires);
      if (known) return known;
      const common = priceDecimals(wires.map(amount));
      const write = (wire: WireAmount) => {
        const decimals = Math.max(common, priceDecimals([amount(wire)]));
        return formatMoney(amount(wire), money, { decimals });
      };
      columns.set(wires, write);
      return write;
    },
    total: (wire) => formatTotal(amount(wire), money),
    spendable: (wire) => formatSpendable(amount(wire), money),
    change: (wire, decimals = priceDecimals([amount(wire)])) =>
      formatMoney(amount(wire), money, { decimals, sign: 'always' }),
    number: (value) => numbers.format(value),
    percent: (share) => percents.format(share),
    bytes: (count) => formatBytes(count, locale),
    duration: (ms, options) => formatDuration(ms, locale, options),
    time: (iso, at = zone) => formatTime(iso, { locale, zone: at }),
    date: (iso, at = zone) => formatDate(iso, { locale, zone: at }),
    relative: (iso, nowMs) => formatRelative(iso, nowMs, locale),
    isoTime: (iso, at = zone) => isoInZone(iso, at),
  };
}

const FormatsContext = createContext<Formats | null>(null);

/** @param zone null takes the browser's */
export function FormatsFor({
  zone,
  currency,
  children,
}: {
  zone: string | null;
  currency: string;
  children: ReactNode;
}) {
  const locale = useLocale();
  const formats = useMemo(
    () => createFormats(locale, zone ?? browserZone(), currency),
    [locale, zone, currency],
  );
  return <FormatsContext value={formats}>{children}</FormatsContext>;
}

export function useFormats(): Formats {
  const formats = useContext(FormatsContext);
  if (!formats) throw new Error('formats are used outside of FormatsFor');
  return formats;
}

/** Some machines have none, and some browsers give that a name which they do not take themselves. */
export function browserZone(): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return timeZone && isZone(timeZone) ? timeZone : 'UTC';
}
