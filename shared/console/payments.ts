import { z } from 'zod';
import { amountSchema } from './session.ts';

/** Longer than any code is typed. */
const codeCharactersMax = 100;

const paymentStates = ['open', 'paid', 'expired', 'failed', 'refused'] as const;
export const paymentStateSchema = z.enum(paymentStates);

export const checkoutOrderSchema = z.object({
  /** Decimal. */
  amount: z.string(),
});

export const checkoutSchema = z.object({
  /** Of the payment, which is `open` until the provider says that it is paid. */
  id: z.string(),
  /** Where it is paid. */
  url: z.string(),
});
export type CheckoutView = z.infer<typeof checkoutSchema>;

export const paymentParamsSchema = z.object({ id: z.string().max(40) });

export const paymentSchema = z.object({
  id: z.string(),
  /** `stripe`, or what another one is called. */
  provider: z.string(),
  amount: amountSchema,
  state: paymentStateSchema,
  created_at: z.string(),
  /** The wallet entry that it became. */
  transaction_id: z.string().nullable(),
});
export type PaymentView = z.infer<typeof paymentSchema>;

export const redemptionSchema = z.object({ code: z.string().max(codeCharactersMax) });

export const redeemedSchema = z.object({
  amount: amountSchema,
  balance: amountSchema,
  transaction_id: z.string(),
});
export type RedeemedView = z.infer<typeof redeemedSchema>;

/** Where the money of a top-up came from; what an administrator added has none. */
export const topUpSourceSchema = z.object({
  kind: z.enum(['payment', 'code']),
  /** `stripe` or another provider; of a code, how it ends. */
  name: z.string(),
});

/** For how much users can pay at once. */
export const topUpOfferSchema = z.object({
  min: amountSchema,
  max: amountSchema,
  /** How many decimals an amount may have. */
  decimals: z.int(),
});
