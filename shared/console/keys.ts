import { z } from 'zod';
import { decimalSchema } from './money.ts';
import { cursorQuery, pageSchema, rangeQuery } from './ranges.ts';
import { amountSchema } from './session.ts';

const keyStatuses = ['active', 'disabled', 'expired', 'revoked'] as const;

/** The longest time for which two secrets of a key work side by side. */
const overlapHoursMax = 24;

const limitsSchema = z.object({
  /** Requests at once. */
  slots: z.int().nullable(),
  /** All that it may spend. */
  spend: amountSchema.nullable(),
  /** In a calendar month. */
  monthly_spend: amountSchema.nullable(),
  /** Time zone of the months. */
  zone: z.string(),
});

export const keySchema = z.object({
  id: z.string(),
  name: z.string(),
  /** `sk-tin-…a1b2`. */
  masked: z.string(),
  status: z.enum(keyStatuses),
  /** Null means all. */
  models: z.array(z.string()).nullable(),
  /** Addresses and ranges it may be used from; null means all. */
  addresses: z.array(z.string()).nullable(),
  limits: limitsSchema,
  /** In the days that a range calls `30d`; null for more than an amount can be. */
  spend_30d: amountSchema.nullable(),
  /** Since it was issued; null for more than an amount can be. */
  spent: amountSchema.nullable(),
  spent_this_month: amountSchema.nullable(),
  /** To about a minute; null when it never was. */
  last_used_at: z.string().nullable(),
  created_at: z.string(),
  expires_at: z.string().nullable(),
  /** Until when the secret before the last rotation works too; null when it does not. */
  previous_secret_until: z.string().nullable(),
});
export type KeyView = z.infer<typeof keySchema>;

export const keyListQuerySchema = z.object({
  ...cursorQuery,
  /** Without it, all that are not revoked. */
  status: z.enum(keyStatuses).optional(),
  tz: rangeQuery.tz,
});

export const keyListSchema = z.object({
  items: z.array(keySchema),
  older: pageSchema.older,
});
export type KeyList = z.infer<typeof keyListSchema>;

export const keyParamsSchema = z.object({ id: z.string().max(40) });

const settableFields = {
  models: z.array(z.string().max(100)).max(200).nullable().optional(),
  addresses: z.array(z.string().max(60)).max(200).nullable().optional(),
  expires_at: z.iso.datetime({ offset: true }).nullable().optional(),
  slots: z.int().nullable().optional(),
  spend_limit: decimalSchema.nullable().optional(),
  monthly_limit: decimalSchema.nullable().optional(),
  /** Time zone of the months. */
  zone: z.string().max(64).optional(),
};

export const newKeySchema = z.object({
  name: z.string().max(200),
  ...settableFields,
  /**
   * What the key's ID shall end with, made up by whoever asks for it: a second key with it is refused. A key whose
   * answer got lost, so that nobody has its secret, is found by it.
   */
  reference: z
    .string()
    .regex(/^[0-9a-z]{16}$/, '16 small letters or digits')
    .optional(),
});
export type NewKeyForm = z.infer<typeof newKeySchema>;

/** What is left out stays as it is; null lifts a limit. */
export const keyEditSchema = z.object({ name: z.string().max(200).optional(), ...settableFields });
export type KeyEditForm = z.infer<typeof keyEditSchema>;

export const keyEnablingSchema = z.object({ enabled: z.boolean() });

export const keyRotationSchema = z.object({
  /** For how long the secret of before still works. */
  overlap_hours: z.number().min(0).max(overlapHoursMax),
  /**
   * How the secret ends that the key has now, where nobody has seen it because the answer got lost: it alone is
   * replaced, and the one of before, which is in use, goes on.
   */
  in_place_of: z.string().length(4).optional(),
});

/** The only answer that carries a secret; it is not kept anywhere. */
export const issuedKeySchema = z.object({ key: keySchema, secret: z.string() });
export type IssuedKeyView = z.infer<typeof issuedKeySchema>;
