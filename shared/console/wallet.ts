import { z } from 'zod';
import { topUpOfferSchema, topUpSourceSchema } from './payments.ts';
import { cursorQuery, pageSchema, rangeQuery, rangeSchema } from './ranges.ts';
import { amountSchema } from './session.ts';
import { usageStatusSchema } from './usage.ts';

const transactionKinds = ['top_up', 'charge', 'refund', 'adjustment'] as const;
export const transactionKindSchema = z.enum(transactionKinds);

export const walletSchema = z.object({
  balance: amountSchema,
  /** Set aside for running requests. */
  held: amountSchema,
  available: amountSchema,
  running: z.int(),
  /** For how many more requests of one picture the available amount is enough. */
  estimates: z.array(z.object({ model: z.string(), price: amountSchema, requests_left: z.int() })),
  /** What the operator says of adding funds; empty when nothing. */
  top_up_text: z.string(),
  /** For how much one can pay; null where nobody can. */
  top_up: topUpOfferSchema.nullable(),
  contact: z.string(),
});
export type WalletView = z.infer<typeof walletSchema>;

const anyKind = transactionKinds.join('|');

const walletFilterQuery = {
  ...rangeQuery,
  /** One, or several between commas. */
  kind: z
    .string()
    .regex(new RegExp(`^(${anyKind})(,(${anyKind}))*$`), `one or several of ${anyKind}`)
    .optional(),
  trace: z.string().max(40).optional(),
};

export const walletFilterSchema = z.object(walletFilterQuery);
export type WalletFilterQuery = z.infer<typeof walletFilterSchema>;

export const transactionListQuerySchema = z.object({ ...walletFilterQuery, ...cursorQuery });

/** The image request that a charge or refund belongs to. */
const requestSchema = z.object({
  model: z.string().nullable(),
  /** How many requests: one. */
  requests: z.literal(1),
  /** Null when the request is no longer kept one by one. */
  images: z.int().nullable(),
  cost: amountSchema,
  status: usageStatusSchema,
});

export const transactionSchema = z.object({
  id: z.string(),
  created_at: z.string(),
  kind: transactionKindSchema,
  /** Signed: charges are negative. */
  amount: amountSchema,
  balance_after: amountSchema,
  /** A charge that was returned is reversed; partly, where only a part of it was. */
  status: z.enum(['settled', 'reversed', 'partly_reversed']),
  /** Null for what no image request caused. */
  request: requestSchema.nullable(),
  trace_id: z.string().nullable(),
  by: z.object({
    kind: z.enum(['system', 'person']),
    /** Null for the system, and for somebody who worked on the command line. */
    name: z.string().nullable(),
  }),
  note: z.string().nullable(),
  /** Null for all but payments and codes. */
  source: topUpSourceSchema.nullable(),
});
export type TransactionView = z.infer<typeof transactionSchema>;

const kindTotalSchema = z.object({ count: z.int(), sum: amountSchema });

/** opening + added − spent + returned ± adjusted = closing, over the whole range. */
export const statementSchema = z.object({
  opening: amountSchema,
  /** Top-ups. */
  added: kindTotalSchema,
  /** Charges: negative. */
  spent: kindTotalSchema,
  /** Refunds. */
  returned: kindTotalSchema,
  /** Adjustments, of either sign. */
  adjusted: kindTotalSchema,
  closing: amountSchema,
  /** Whether the ledger's own balances say the same. */
  adds_up: z.boolean(),
});

export const transactionListSchema = z.object({
  range: rangeSchema,
  items: z.array(transactionSchema),
  ...pageSchema,
  /** Entries that match, not only of this page. */
  count: z.int(),
  /** Of the whole range, whatever the other filters. */
  statement: statementSchema,
});
export type TransactionList = z.infer<typeof transactionListSchema>;

export const walletChartSchema = z.object({
  range: rangeSchema,
  opening: amountSchema,
  /** `entry`: one for each change. `hour`, `day`: the last of each in which there was one. */
  unit: z.enum(['entry', 'hour', 'day']),
  points: z.array(z.object({ at: z.string(), balance_micros: z.int() })),
});
export type WalletChart = z.infer<typeof walletChartSchema>;

export const transactionParamsSchema = z.object({ id: z.string().max(40) });

const entryRefSchema = z.object({ id: z.string(), amount: amountSchema, created_at: z.string() });

export const transactionDetailSchema = transactionSchema.extend({
  seq: z.int(),
  /** Of a refund: what it returns. */
  charge: entryRefSchema.nullable(),
  /** Of a charge: what returned it. */
  refund: entryRefSchema.nullable(),
});
export type TransactionDetail = z.infer<typeof transactionDetailSchema>;
