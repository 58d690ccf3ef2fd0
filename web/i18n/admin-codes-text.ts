import { defineText } from './text.ts';

export const adminCodesText = defineText({
  en: async () => (await import('./en/admin-codes.ts')).adminCodes,
  'zh-CN': async () => (await import('./zh-CN/admin-codes.ts')).adminCodes,
});
