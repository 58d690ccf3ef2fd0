import { z } from 'zod';
import { languages } from '../languages.ts';

/** An amount on the wire: whole micros, and the decimal that people read. */
export const amountSchema = z.object({
  micros: z.int(),
  text: z.string(),
});

export const roleSchema = z.enum(['user', 'admin']);

/** What a page needs before its first paint. */
export const bootstrapSchema = z.object({
  version: z.string(),
  installation: z.object({
    name: z.string(),
    currency: z.string(),
    /** Whether somebody has set it up; until then every page leads to the setup. */
    is_set_up: z.boolean(),
    registration: z.enum(['closed', 'invitation', 'open']),
    /** What the sign-in page offers besides the password. */
    oidc: z.object({ name: z.string() }).nullable(),
    sends_mail: z.boolean(),
    /** Where people reach the service, without a slash at the end; null takes the page's own origin. */
    public_url: z.string().nullable(),
    /** For how many days each request is listed; 0 keeps all. */
    usage_days_kept: z.int(),
  }),
  /** Null when nobody is signed in. */
  user: z
    .object({
      id: z.string(),
      email: z.string(),
      name: z.string(),
      role: roleSchema,
      rights: z.array(z.string()),
      preferences: z.object({
        language: z.enum(languages).nullable(),
        theme: z.enum(['system', 'light', 'dark']),
        zone: z.string().nullable(),
        shortcuts: z.boolean(),
      }),
      wallet: z.object({ balance: amountSchema, held: amountSchema, available: amountSchema }),
      slots: z.object({ max: z.int(), running: z.int() }),
      /** What waits for an administrator, by page; null for others. */
      attention: z.object({ models: z.int(), upstreams: z.int(), payments: z.int() }).nullable(),
    })
    .nullable(),
});
export type Bootstrap = z.infer<typeof bootstrapSchema>;
