import { z } from 'zod';
import { isZone } from '../lib/time-text.ts';

/** How a user wants the console to look and speak. */
export const preferencesSchema = z.object({
  /** Null takes the browser's. */
  language: z.enum(['en', 'zh-CN']).nullable().default(null),
  theme: z.enum(['system', 'light', 'dark']).default('system'),
  /** IANA name; null takes the browser's. */
  zone: z.string().refine(isZone).nullable().default(null),
  /** Whether single keys are shortcuts. */
  shortcuts: z.boolean().default(true),
});
export type Preferences = z.infer<typeof preferencesSchema>;
