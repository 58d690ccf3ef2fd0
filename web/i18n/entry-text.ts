import { defineText } from './text.ts';

export const entryText = defineText({
  en: async () => (await import('./en/entry.ts')).entry,
  'zh-CN': async () => (await import('./zh-CN/entry.ts')).entry,
});
