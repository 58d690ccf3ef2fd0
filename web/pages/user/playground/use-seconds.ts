import { useFormats } from '../../../i18n/formats.tsx';
import { formatSeconds } from '../../../lib/time-format.ts';

/** `61 s`: whole seconds, also above a minute, because that is how proxies are set. */
export function useSeconds(): (ms: number) => string {
  const { locale } = useFormats();
  return (ms) => formatSeconds(ms, locale);
}
