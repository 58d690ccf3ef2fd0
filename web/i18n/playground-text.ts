import { defineText } from './text.ts';

export const playgroundText = defineText({
  en: async () => (await import('./en/playground.ts')).playground,
  'zh-CN': async () => (await import('./zh-CN/playground.ts')).playground,
});
