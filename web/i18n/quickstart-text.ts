import { defineText } from './text.ts';

export const quickstartText = defineText({
  en: async () => (await import('./en/quickstart.ts')).quickstart,
  'zh-CN': async () => (await import('./zh-CN/quickstart.ts')).quickstart,
});
