import { defineText } from './text.ts';

export const walletText = defineText({
  en: async () => (await import('./en/wallet.ts')).wallet,
  'zh-CN': async () => (await import('./zh-CN/wallet.ts')).wallet,
});
