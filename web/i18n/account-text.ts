import { defineText } from './text.ts';

export const accountText = defineText({
  en: async () => (await import('./en/account.ts')).account,
  'zh-CN': async () => (await import('./zh-CN/account.ts')).account,
});
