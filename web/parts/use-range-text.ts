import { useFormats } from '../i18n/formats.tsx';
import { useText } from '../i18n/text.ts';
import { uiText } from '../i18n/ui-text.ts';
import { defaultRange, type RangeState } from '../lib/range-search.ts';
import { formatDay } from '../lib/time-format.ts';

/** The days that a page's address names, in words; undefined where they are those that are taken by default. */
export function useRangeText({ range, from, to }: RangeState): string | undefined {
  const t = useText(uiText);
  const { locale } = useFormats();
  if (from !== undefined) {
    const days = [from, ...(to === undefined || to === from ? [] : [to])];
    return days.map((each) => formatDay(each, locale)).join(' – ');
  }
  return range === undefined || range === defaultRange ? undefined : t.presets[range];
}

/** The changes of an address that go back to the days that are taken by default. */
export const noRange = { range: undefined, from: undefined, to: undefined } as const;
