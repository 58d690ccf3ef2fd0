import { defineText } from './text.ts';

export const adminAuditText = defineText({
  en: async () => (await import('./en/admin-audit.ts')).adminAudit,
  'zh-CN': async () => (await import('./zh-CN/admin-audit.ts')).adminAudit,
});
