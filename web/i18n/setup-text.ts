import { defineText } from './text.ts';

export const setupText = defineText({
  en: async () => (await import('./en/setup.ts')).setup,
  'zh-CN': async () => (await import('./zh-CN/setup.ts')).setup,
});
