import { defineText } from './text.ts';

export const uiText = defineText({
  en: async () => (await import('./en/ui.ts')).ui,
  'zh-CN': async () => (await import('./zh-CN/ui.ts')).ui,
});
