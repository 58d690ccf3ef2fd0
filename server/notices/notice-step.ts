import { sql } from 'kysely';
import type { StepBuilder } from '../db/chain.ts';
import type { NoticeMedium } from '../db/schema.ts';

export type NoteCrossingParams = {
  traceId: string;
  now: number;
  /** The signed change of the balance. */
  charge: number;
  /** The threshold; zero is never crossed. */
  lowBalance: number;
  webhookNoticeId: string;
  emailNoticeId: string;
};

/**
 * Writes a notice if the step `wallet` took the balance below the threshold: decided on the row as
 * that very write left it, so of any number of charges at once exactly one crosses.
 */
export function noteCrossing<P extends NoteCrossingParams>(
  wallet: string,
  medium: NoticeMedium,
): StepBuilder<P> {
  return ({ insertWhen, column, param }) => {
    const after = column<number>(wallet, 'balance');
    const threshold = param('lowBalance');
    const crossed = sql<boolean>`${after} < ${threshold} and ${after} - ${param('charge')} >= ${threshold}`;
    const row = {
      id: param(medium === 'webhook' ? 'webhookNoticeId' : 'emailNoticeId'),
      user_id: column<string>(wallet, 'user_id'),
      kind: 'low_balance',
      medium,
      balance: after,
      threshold,
      trace_id: param('traceId'),
      created_at: param('now'),
      tries: 0,
      next_try_at: param('now'),
    } as const;
    return insertWhen(wallet, 'notices', row, crossed);
  };
}
