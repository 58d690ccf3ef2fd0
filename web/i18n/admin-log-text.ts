import { defineText } from './text.ts';

export const adminLogText = defineText({
  en: async () => (await import('./en/admin-log.ts')).adminLog,
  'zh-CN': async () => (await import('./zh-CN/admin-log.ts')).adminLog,
});
