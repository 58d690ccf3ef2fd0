import { useFormats } from '../../../i18n/formats.tsx';

/** `61 s`: whole seconds, also above a minute, because that is how proxies are set. */
export function useSeconds(): (ms: number) => string {
  const { locale } = useFormats();
  const format = new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: 'second',
    unitDisplay: 'short',
    maximumFractionDigits: 0,
  });
  // Never more than have passed.
  return (ms) => format.format(Math.floor(ms / 1_000));
}
