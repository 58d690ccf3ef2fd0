/** What messages need of a language: plurals, numbers and lists. */
import type { Locale } from './locale.ts';

export interface Words {
  /** `{ one: …, other: … }`, by the rules of the language; `other` where a form is missing. */
  plural(count: number, forms: PluralForms): string;
  number(value: number): string;
  list(items: readonly string[]): string;
}

type PluralForms = { readonly [form in Intl.LDMLPluralRule]?: string } & { readonly other: string };

function wordsOf(locale: Locale): Words {
  const rules = new Intl.PluralRules(locale);
  const numbers = new Intl.NumberFormat(locale);
  const lists = new Intl.ListFormat(locale);
  return {
    plural: (count, forms) => forms[rules.select(count)] ?? forms.other,
    number: (value) => numbers.format(value),
    list: (items) => lists.format(items),
  };
}

export const english = wordsOf('en');
export const chinese = wordsOf('zh-CN');
