import { defineText } from './text.ts';

export const adminKindsText = defineText({
  en: async () => (await import('./en/admin-kinds.ts')).adminKinds,
  'zh-CN': async () => (await import('./zh-CN/admin-kinds.ts')).adminKinds,
});
