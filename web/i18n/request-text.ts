import { defineText } from './text.ts';

export const requestText = defineText({
  en: async () => (await import('./en/requests.ts')).requests,
  'zh-CN': async () => (await import('./zh-CN/requests.ts')).requests,
});
