import { defineText } from './text.ts';

export const galleryText = defineText({
  en: async () => (await import('./en/gallery.ts')).gallery,
  'zh-CN': async () => (await import('./zh-CN/gallery.ts')).gallery,
});
