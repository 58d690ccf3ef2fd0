/** The languages of the console and of mails. English is the source of all words. */
export const languages = ['en', 'zh-CN'] as const;
export type Language = (typeof languages)[number];

/** Of language tags such as `zh-TW`, the one wanted most first, what is spoken here; null for none. */
export function firstSpoken(tags: readonly string[]): Language | null {
  for (const tag of tags) {
    if (/^zh\b/i.test(tag)) return 'zh-CN';
    if (/^en\b/i.test(tag)) return 'en';
  }
  return null;
}
