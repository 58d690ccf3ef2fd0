/** What a user has, and why it changed. */
import { z } from 'zod';
import {
  transactionDetailSchema,
  transactionListQuerySchema,
  transactionListSchema,
  transactionParamsSchema,
  type WalletView,
  walletChartSchema,
  walletFilterSchema,
  walletSchema,
} from '../../../shared/console/wallet.ts';
import {
  chartBalance,
  readWalletPage,
  requireOwnTransaction,
  spanOf,
} from '../../flows/reading/read-wallet-page.ts';
import { must } from '../../lib/assert.ts';
import { isoTime } from '../../lib/time-text.ts';
import { stripeDecimals } from '../../payments/stripe-currency.ts';
import { type Settings, topUpLimitsOf } from '../../settings/settings.ts';
import { readStatementTotals } from '../../wallets/statement-store.ts';
import { countTransactions } from '../../wallets/transaction-store.ts';
import { availableOf } from '../../wallets/wallet.ts';
import { readWallet } from '../../wallets/wallet-store.ts';
import { type ConsoleRoute, signedInRoute } from './console-route.ts';
import { answerWithCsv } from './csv-answer.ts';
import { presentAmount } from './present/amount.ts';
import {
  presentTransaction,
  presentTransactionDetail,
  transactionCsvColumns,
} from './present/transaction.ts';
import { presentRange, readRange } from './range.ts';
import { answerWalletPage, walletFilterOf } from './wallet-page.ts';

export const walletRoutes: readonly ConsoleRoute[] = [
  signedInRoute({
    method: 'GET',
    path: '/wallet',
    summary: 'Your balance, how much of it is held, and how many requests it is enough for',
    right: 'own',
    answer: walletSchema,
    handle: async ({ viewer }, { database, catalog, settings, stripe }) => {
      const wallet = must(await readWallet(database, viewer.userId), 'the wallet of a user');
      const available = availableOf(wallet);
      const known = await catalog.current();
      const current = await settings.current();
      const { topUpText, contact } = current;
      return {
        balance: presentAmount(wallet.balance),
        held: presentAmount(wallet.held),
        available: presentAmount(available),
        running: wallet.inFlight,
        estimates: known.models.flatMap(({ id, price }) =>
          price !== null && known.isAvailable(id)
            ? {
                model: id,
                price: presentAmount(price),
                requests_left: Math.floor(available / price),
              }
            : [],
        ),
        top_up_text: topUpText,
        top_up: stripe && presentOffer(current),
        contact,
      };
    },
  }),
  signedInRoute({
    method: 'GET',
    path: '/wallet/transactions',
    summary: 'Every change of your balance, newest first, and the statement of the range',
    right: 'own',
    query: transactionListQuerySchema,
    answer: transactionListSchema,
    handle: ({ query, viewer }, deps) =>
      answerWalletPage({ userId: viewer.userId, query, viewer }, deps),
  }),
  signedInRoute({
    method: 'GET',
    path: '/wallet/chart',
    summary: 'Your balance over time',
    right: 'own',
    query: walletFilterSchema,
    answer: walletChartSchema,
    handle: async ({ query, viewer }, deps) => {
      const range = await readRange(query, viewer, deps);
      return deps.database.snapshot(async (db) => {
        const span = await spanOf(db, viewer.userId, range);
        const { opening } = await readStatementTotals(db, span);
        const { unit, entries } = await chartBalance(db, span, range);
        return {
          range: presentRange(range, query),
          opening: presentAmount(opening),
          unit,
          points: entries.map(({ createdAt, balanceAfter }) => ({
            at: isoTime(createdAt),
            balance_micros: balanceAfter,
          })),
        };
      });
    },
  }),
  signedInRoute({
    method: 'GET',
    path: '/wallet/transactions.csv',
    summary: 'Every change of your balance as a CSV file',
    right: 'own',
    query: walletFilterSchema,
    form: 'csv',
    answer: z.never(),
    handle: async ({ query, viewer, ...call }, deps) => {
      const range = await readRange(query, viewer, deps);
      const filter = walletFilterOf(query);
      const { currency } = await deps.settings.current();
      return answerWithCsv(
        call,
        {
          name: 'wallet',
          userId: viewer.userId,
          range,
          columns: transactionCsvColumns({ zone: range.zone, currency }),
          open: async (db) => {
            const span = await spanOf(db, viewer.userId, range);
            return {
              rows: await countTransactions(db, span, filter),
              readPage: async ({ place, limit }) => {
                const position = { place, towards: 'older' } as const;
                const page = await readWalletPage(db, { span, filter }, { position, limit });
                const rows = page.items.map((entry) => presentTransaction(entry, page.context));
                return { rows, next: page.older };
              },
            };
          },
        },
        deps,
      );
    },
  }),
  signedInRoute({
    method: 'GET',
    path: '/wallet/transactions/:id',
    summary: 'One change of your balance, and what it belongs to',
    right: 'own',
    params: transactionParamsSchema,
    owned: { id: 'transaction' },
    answer: transactionDetailSchema,
    handle: async ({ params, viewer }, { database }) =>
      presentTransactionDetail(
        await requireOwnTransaction(database, { id: params.id, userId: viewer.userId }),
      ),
  }),
];

/** For how much users can pay at once. */
function presentOffer(settings: Settings): WalletView['top_up'] {
  const { min, max } = topUpLimitsOf(settings);
  const decimals = stripeDecimals(settings.currency);
  return { min: presentAmount(min), max: presentAmount(max), decimals };
}
