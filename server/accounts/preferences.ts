import { z } from 'zod';
import { languages } from '../../shared/languages.ts';
import { isZone } from '../lib/time-text.ts';

/** How a user wants the console to look and speak, and mails to be written. */
export const preferencesSchema = z.object({
  /** Null takes the browser's; for mails, the installation's. */
  language: z.enum(languages).nullable().default(null),
  theme: z.enum(['system', 'light', 'dark']).default('system'),
  /** IANA name; null takes the browser's; for mails, the installation's. */
  zone: z.string().refine(isZone).nullable().default(null),
  /** Whether single keys are shortcuts. */
  shortcuts: z.boolean().default(true),
});
export type Preferences = z.infer<typeof preferencesSchema>;
