import { defineText } from './text.ts';

export const adminModelsText = defineText({
  en: async () => (await import('./en/admin-models.ts')).adminModels,
  'zh-CN': async () => (await import('./zh-CN/admin-models.ts')).adminModels,
});
