import { defineText } from './text.ts';

export const adminUsersText = defineText({
  en: async () => (await import('./en/admin-users.ts')).adminUsers,
  'zh-CN': async () => (await import('./zh-CN/admin-users.ts')).adminUsers,
});
