/** A page of a wallet's transactions, as its owner and administrators see it. */
import type { z } from 'zod';
import { pageRows } from '../../../shared/console/ranges.ts';
import type {
  transactionKindSchema,
  transactionListQuerySchema,
  transactionListSchema,
  WalletFilterQuery,
} from '../../../shared/console/wallet.ts';
import { readWalletPage, spanOf } from '../../flows/reading/read-wallet-page.ts';
import { readStatementTotals } from '../../wallets/statement-store.ts';
import { countTransactions, type SpanFilter } from '../../wallets/transaction-store.ts';
import type { ConsoleDeps } from './console-deps.ts';
import type { Viewer } from './console-route.ts';
import { presentCursors, readCursor } from './cursor.ts';
import { presentStatement, presentTransaction } from './present/transaction.ts';
import { presentRange, readRange } from './range.ts';

/** @param userId whose wallet it is; the viewer, who may be an administrator, gives the time zone */
export async function answerWalletPage(
  {
    userId,
    query,
    viewer,
  }: { userId: string; query: z.output<typeof transactionListQuerySchema>; viewer: Viewer },
  deps: ConsoleDeps,
): Promise<z.input<typeof transactionListSchema>> {
  const range = await readRange(query, viewer, deps);
  const filter = walletFilterOf(query);
  const position = readCursor(query.cursor);
  return deps.database.snapshot(async (db) => {
    const span = await spanOf(db, userId, range);
    const page = await readWalletPage(db, { span, filter }, { position, limit: pageRows });
    const [newest] = page.items;
    return {
      range: presentRange(range, query),
      items: page.items.map((entry) => presentTransaction(entry, page.context)),
      ...presentCursors(page, newest && String(newest.seq)),
      count: await countTransactions(db, span, filter),
      statement: presentStatement(await readStatementTotals(db, span)),
    };
  });
}

export function walletFilterOf({ kind, trace }: WalletFilterQuery): SpanFilter {
  // The query's schema lets nothing else through.
  return {
    kinds: kind?.split(',') as z.output<typeof transactionKindSchema>[] | undefined,
    traceId: trace,
  };
}
