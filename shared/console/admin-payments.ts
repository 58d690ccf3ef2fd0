import { z } from 'zod';
import { paymentSchema, paymentStateSchema } from './payments.ts';
import { amountSchema } from './session.ts';

const paymentProblems = [
  'amount_differs',
  'currency_differs',
  'account_erased',
  'not_covered',
  'disputed',
] as const;

export const adminPaymentsQuerySchema = z.object({
  state: paymentStateSchema.optional(),
  /** `open`: only those that somebody has to look at. */
  problem: z.literal('open').optional(),
  cursor: z.string().max(100).optional(),
});

export const adminPaymentSchema = paymentSchema.extend({
  user: z.object({ id: z.string(), email: z.string().nullable() }),
  /** As the provider knows it. */
  payment_id: z.string().nullable(),
  currency: z.string(),
  /** What the provider took back, and what of that could not be taken from the wallet. */
  taken_back: amountSchema,
  missing: amountSchema,
  problem: z.enum(paymentProblems).nullable(),
  /** When somebody had seen to the problem. */
  settled_at: z.string().nullable(),
});
export type AdminPayment = z.infer<typeof adminPaymentSchema>;

export const adminPaymentsSchema = z.object({
  payments: z.array(adminPaymentSchema),
  next: z.string().nullable(),
});
export type AdminPayments = z.infer<typeof adminPaymentsSchema>;

export const paymentSettlementSchema = z.object({
  /** What was done about it. */
  reason: z.string(),
});

export const settledPaymentSchema = adminPaymentSchema.extend({
  /** Whether the reason was: not where somebody else settled it before, or it has no problem. */
  is_noted: z.boolean(),
  /** Who settled it before, as far as the audit still knows. */
  earlier: z
    .object({
      actor: z.string(),
      /** Null for whoever worked on the command line. */
      actor_email: z.string().nullable(),
      reason: z.string().nullable(),
    })
    .nullable(),
});
export type SettledPayment = z.infer<typeof settledPaymentSchema>;
