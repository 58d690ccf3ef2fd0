const perHundred = 100;

/** `+25%`, `−12.5%` */
export function signedPercent(percent: number, locale: string): string {
  return new Intl.NumberFormat(locale, {
    style: 'percent',
    maximumFractionDigits: 1,
    signDisplay: 'exceptZero',
  })
    .format(percent / perHundred)
    .replace('-', '\u2212');
}
