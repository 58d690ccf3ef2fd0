import { defineText } from './text.ts';

export const keysText = defineText({
  en: async () => (await import('./en/keys.ts')).keys,
  'zh-CN': async () => (await import('./zh-CN/keys.ts')).keys,
});
