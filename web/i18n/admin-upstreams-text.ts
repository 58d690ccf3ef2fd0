import { defineText } from './text.ts';

export const adminUpstreamsText = defineText({
  en: async () => (await import('./en/admin-upstreams.ts')).adminUpstreams,
  'zh-CN': async () => (await import('./zh-CN/admin-upstreams.ts')).adminUpstreams,
});
