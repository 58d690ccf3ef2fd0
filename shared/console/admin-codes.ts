import { z } from 'zod';
import { reasonField } from './admin-models.ts';
import { amountSchema } from './session.ts';

const codeBatchMax = 1_000;

const codeStates = ['open', 'redeemed', 'withdrawn', 'expired'] as const;
const codeStateSchema = z.enum(codeStates);

export const adminCodesQuerySchema = z.object({
  state: codeStateSchema.optional(),
  batch: z.string().max(40).optional(),
  /** The `next` of the page before. */
  cursor: z.string().max(100).optional(),
});

export const adminCodeSchema = z.object({
  id: z.string(),
  /** Those that were made together. */
  batch: z.string(),
  /** How it ends: the code itself is known to nobody but whoever got it. */
  last_four: z.string(),
  amount: amountSchema,
  note: z.string().nullable(),
  state: codeStateSchema,
  created_at: z.string(),
  created_by: z.string(),
  expires_at: z.string().nullable(),
  redeemed_at: z.string().nullable(),
  redeemed_by: z.object({ id: z.string(), email: z.string().nullable() }).nullable(),
});
export type AdminCode = z.infer<typeof adminCodeSchema>;

export const adminCodesSchema = z.object({
  codes: z.array(adminCodeSchema),
  next: z.string().nullable(),
  /** Of all that match, not only of this page. */
  count: z.int(),
  /** Null for more than an amount can be. */
  sum: amountSchema.nullable(),
});
export type AdminCodes = z.infer<typeof adminCodesSchema>;

export const codeOrderSchema = z.object({
  /**
   * ID for these codes, made up by whoever orders them: a second order with it is refused. Codes whose answer
   * got lost, so that nobody has seen them, are withdrawn by it.
   */
  batch: z
    .string()
    .regex(/^bat_[0-9a-z]{26}$/, 'bat_ and 26 small letters or digits')
    .optional(),
  /** Decimal, of each. */
  amount: z.string(),
  count: z.int().min(1).max(codeBatchMax),
  note: z.string().nullable().default(null),
  /** From when on they are refused; null for never. */
  expires_at: z.iso.datetime({ offset: true }).nullable().default(null),
  reason: reasonField,
});

export const codeBatchSchema = z.object({
  batch: z.string(),
  amount: amountSchema,
  note: z.string().nullable(),
  expires_at: z.string().nullable(),
  /** In full: shown this once. */
  codes: z.array(z.string()),
});
export type CodeBatchView = z.infer<typeof codeBatchSchema>;

/** Of a code or of a batch. */
export const codeParamsSchema = z.object({ id: z.string().max(40) });
export const codeWithdrawalSchema = z.object({ reason: reasonField });
export const withdrawnCodesSchema = z.object({ withdrawn: z.int() });
