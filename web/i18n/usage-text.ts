import { defineText } from './text.ts';

export const usageText = defineText({
  en: async () => (await import('./en/usage.ts')).usage,
  'zh-CN': async () => (await import('./zh-CN/usage.ts')).usage,
});
