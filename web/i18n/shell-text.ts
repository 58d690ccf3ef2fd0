import { defineText } from './text.ts';

export const shellText = defineText({
  en: async () => (await import('./en/shell.ts')).shell,
  'zh-CN': async () => (await import('./zh-CN/shell.ts')).shell,
});
