import { defineText } from './text.ts';

export const serviceText = defineText({
  en: async () => (await import('./en/service.ts')).service,
  'zh-CN': async () => (await import('./zh-CN/service.ts')).service,
});
