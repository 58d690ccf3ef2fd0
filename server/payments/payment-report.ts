/**
 * What the operator's own integration of another provider reports, signed with a secret that only it
 * and the service know. docs/payments.md is for those who write one.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { type Amount, parseAmount } from '../../shared/money.ts';
import { paymentLimits, stripeProvider } from './payment.ts';

const amountSchema = z.string().transform((text, context): Amount => {
  const amount = parseAmount(text);
  if (amount !== null && amount > 0) return amount;
  context.addIssue('an amount is a decimal above zero, such as 12.50');
  return z.NEVER;
});

const common = {
  /** What the provider is called. */
  provider: z
    .string()
    .regex(/^[a-z0-9][a-z0-9_-]{0,31}$/, 'a lower-case word of at most 32 characters')
    .refine((name) => name !== stripeProvider, 'Stripe has a webhook of its own'),
  /** As the provider knows the payment: a second report of it changes nothing. */
  payment_id: z.string().regex(/^[\x21-\x7e]{1,200}$/, '1 to 200 printable characters'),
  amount: amountSchema,
  currency: z.string().regex(/^[A-Z]{3}$/, 'three capital letters such as EUR'),
};

export const paymentReportSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('payment.paid'),
    ...common,
    /** Whose wallet it is for: ID or e-mail address. */
    user: z
      .string()
      .min(1)
      .max(320)
      .refine((user) => !user.includes('\0'), 'it has a NUL character'),
  }),
  z.object({
    type: z.literal('payment.returned'),
    /** Its amount is all that was returned of the payment by now. */
    ...common,
  }),
]);
export type PaymentReport = z.output<typeof paymentReportSchema>;

export interface SignedReport {
  body: Buffer;
  /** `t=<Unix seconds>,v1=<hex>`: HMAC-SHA256 over `<seconds>.<body>`. */
  signature: string;
}

/** Whether the signature is right, and neither old nor of the future. */
export function isSigned(
  { body, signature }: SignedReport,
  { secret, nowMs }: { secret: string; nowMs: number },
): boolean {
  const [, seconds, hex] = /^t=(\d{1,15}),v1=([0-9a-f]{64})$/i.exec(signature) ?? [];
  if (seconds === undefined || hex === undefined) return false;
  const right = createHmac('sha256', secret).update(`${seconds}.`).update(body).digest();
  const age = Math.abs(nowMs - Number(seconds) * 1000);
  return timingSafeEqual(right, Buffer.from(hex, 'hex')) && age <= paymentLimits.signatureAgeMsMax;
}
