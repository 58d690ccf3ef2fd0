import { defineText } from './text.ts';

export const adminOverviewText = defineText({
  en: async () => (await import('./en/admin-overview.ts')).adminOverview,
  'zh-CN': async () => (await import('./zh-CN/admin-overview.ts')).adminOverview,
});
