import { defineText } from './text.ts';

export const adminSettingsText = defineText({
  en: async () => (await import('./en/admin-settings.ts')).adminSettings,
  'zh-CN': async () => (await import('./zh-CN/admin-settings.ts')).adminSettings,
});
