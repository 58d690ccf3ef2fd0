import { firstSpoken, type Language } from '../../../shared/languages.ts';

/** The language of the page that asks, by its `accept-language`; null where it says none that is spoken here. */
export function pageLanguage(accepted: string | undefined): Language | null {
  const wishes = (accepted ?? '').split(',').map((range) => {
    const [tag = '', weight = '1'] = range.trim().split(/ *; *q=/i);
    return { tag, weight: Number(weight) };
  });
  const wanted = wishes.filter(({ weight }) => weight > 0).toSorted((a, b) => b.weight - a.weight);
  return firstSpoken(wanted.map(({ tag }) => tag));
}
