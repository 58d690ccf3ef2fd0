import { defineText } from './text.ts';

export const adminPaymentsText = defineText({
  en: async () => (await import('./en/admin-payments.ts')).adminPayments,
  'zh-CN': async () => (await import('./zh-CN/admin-payments.ts')).adminPayments,
});
