import { defineText } from './text.ts';

export const adminCommonText = defineText({
  en: async () => (await import('./en/admin-common.ts')).adminCommon,
  'zh-CN': async () => (await import('./zh-CN/admin-common.ts')).adminCommon,
});
