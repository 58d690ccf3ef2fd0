import { z } from 'zod';
import { reasonField } from './admin-models.ts';
import { rangeQuery } from './ranges.ts';
import { amountSchema, roleSchema } from './session.ts';

const userStates = ['active', 'disabled'] as const;

export const adminUsersQuerySchema = z.object({
  /** A part of the address or name; the end of an API key, such as `…x7Qa`. */
  q: z.string().max(200).optional(),
  role: roleSchema.optional(),
  state: z.enum(userStates).optional(),
  /** The `next` of the page before. */
  cursor: z.string().max(300).optional(),
  tz: rangeQuery.tz,
});

export const adminUserQuerySchema = z.object({ tz: rangeQuery.tz });

export const adminUserSchema = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  role: roleSchema,
  state: z.enum(userStates),
  /** Of their own; null takes the installation's. */
  slots_max: z.int().nullable(),
  balance: amountSchema,
  held: amountSchema,
  available: amountSchema,
  running: z.int(),
  /** In the days that a range calls `30d`; null for more than an amount can be. */
  spend_30d: amountSchema.nullable(),
  requests_30d: z.int(),
  /** Not revoked. */
  keys: z.int(),
  created_at: z.string(),
  disabled_at: z.string().nullable(),
  /** When the personal data was erased; then nothing about the account changes any more. */
  erased_at: z.string().nullable(),
  /** In the console or by a request. */
  last_active_at: z.string().nullable(),
});
export type AdminUser = z.infer<typeof adminUserSchema>;

export const adminUsersSchema = z.object({
  users: z.array(adminUserSchema),
  /** Where the next page begins. */
  next: z.string().nullable(),
});

export const userParamsSchema = z.object({ id: z.string() });

export const newUserSchema = z.object({
  email: z.string(),
  name: z.string(),
  role: roleSchema.default('user'),
  slots_max: z.int().nullable().default(null),
  /** Decimal; null leaves the wallet empty. */
  top_up: z.string().nullable().default(null),
  /** Null for somebody who gets a link for a password, or only uses API keys. */
  password: z.string().nullable().default(null),
  reason: reasonField,
});

export const userPatchSchema = z.object({
  email: z.string().optional(),
  name: z.string().optional(),
  role: roleSchema.optional(),
  slots_max: z.int().nullable().optional(),
  reason: reasonField,
});

export const erasureSchema = z.object({
  /** The user's address once more, typed by whoever asks for it. */
  email: z.string().max(300),
  /** Whether what is left in the wallet is given up. */
  forfeit: z.boolean().default(false),
  reason: reasonField,
});

const moneyChangeSchema = z.enum(['add', 'deduct', 'set']);

export const moneyPreviewQuerySchema = z.object({
  change: moneyChangeSchema,
  /** Decimal. */
  amount: z.string(),
});

export const moneyPreviewSchema = z.object({
  before: amountSchema,
  after: amountSchema,
  /** Signed. */
  amount: amountSchema,
});

export const moneyOrderSchema = z.object({
  /** Made up by the client, anew for each change: a second order with the same one is the same order. */
  reference: z.string(),
  change: moneyChangeSchema,
  amount: z.string(),
  /** Shown to the user. */
  reason: z.string(),
});

export const walletEntrySchema = z.object({
  id: z.string(),
  kind: z.enum(['top_up', 'charge', 'refund', 'adjustment']),
  amount: amountSchema,
  balance_after: amountSchema,
  reason: z.string().nullable(),
  by: z.string(),
  trace_id: z.string().nullable(),
  created_at: z.string(),
});

export const moneyOrderAnswerSchema = z.object({
  entry: walletEntrySchema,
  /** Whether the same order came before: then there is still only this one entry. */
  is_repeat: z.boolean(),
  user: adminUserSchema,
});

export const adminKeySchema = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string(),
  last_four: z.string(),
  state: z.enum(['active', 'disabled', 'expired', 'revoked']),
  models: z.array(z.string()).nullable(),
  created_at: z.string(),
  expires_at: z.string().nullable(),
  last_used_at: z.string().nullable(),
});
export const adminKeysSchema = z.object({
  keys: z.array(adminKeySchema),
  next: z.string().nullable(),
});
export const adminKeysQuerySchema = z.object({ cursor: z.string().max(100).optional() });
export const userKeyParamsSchema = z.object({ id: z.string(), key: z.string() });

export const adminSessionsSchema = z.object({
  sessions: z.array(
    z.object({
      id: z.string(),
      method: z.string(),
      browser: z.string().nullable(),
      system: z.string().nullable(),
      address: z.string().nullable(),
      created_at: z.string(),
      last_seen_at: z.string(),
      expires_at: z.string(),
    }),
  ),
});
export const userSessionParamsSchema = z.object({ id: z.string(), session: z.string() });
export const endedSessionsSchema = z.object({ ended: z.int() });
