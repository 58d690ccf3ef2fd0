import { defineText } from './text.ts';

export const maskText = defineText({
  en: async () => (await import('./en/mask.ts')).mask,
  'zh-CN': async () => (await import('./zh-CN/mask.ts')).mask,
});
