/** The words of mails in each language, of which the compiler sees to it that they say the same. */
import type { Language } from '../../shared/languages.ts';
import { chineseWords } from './chinese-words.ts';
import { englishWords } from './english-words.ts';

export type MailWords = typeof englishWords;

export const mailWords: Readonly<Record<Language, MailWords>> = {
  en: englishWords,
  'zh-CN': chineseWords,
};
