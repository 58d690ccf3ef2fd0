/** The ledger against itself and against what the storm put in. */
import type { Rule } from './rule.ts';

export const ledgerRules: readonly Rule[] = [
  {
    name: 'no overdraft: no balance was ever below zero',
    check: ({ stories, transactions, wallets }) => ({
      checked: transactions.length,
      violations: [
        ...transactions
          .filter(({ balance_after }) => balance_after < 0)
          .map((row) => ({ subject: row.trace_id ?? row.id, detail: `left ${row.balance_after}` })),
        ...wallets
          .filter(({ balance, held }) => balance < held || held < 0)
          .map((row) => ({ subject: row.user_id, detail: `${row.balance}, held ${row.held}` })),
        ...stories
          .flatMap(({ tries }) => tries)
          .filter(({ balance }) => balance?.startsWith('-'))
          .map((each) => ({ subject: each.traceId ?? '', detail: `told ${each.balance}` })),
      ],
    }),
  },
  {
    name: 'no hold is left open',
    check: ({ entries, wallets }) => ({
      checked: entries.size,
      violations: [
        ...[...entries.values()]
          .filter(({ hold, record }) => hold?.state === 'open' || record.status === 'running')
          .map(({ traceId }) => ({ subject: traceId, detail: 'still open' })),
        ...wallets
          .filter(({ held, in_flight }) => held !== 0 || in_flight !== 0)
          .map((row) => ({ subject: row.user_id, detail: `held ${row.held} (${row.in_flight})` })),
      ],
    }),
  },
  {
    name: 'what was put in, less what was charged, is what is left',
    check: ({ paidIn, transactions, wallets }) => ({
      checked: wallets.length,
      violations: wallets.flatMap(({ user_id, balance }) => {
        const spent = transactions
          .filter((row) => row.user_id === user_id && row.kind !== 'top_up')
          .reduce((sum, { amount }) => sum - amount, 0);
        const paid = paidIn.get(user_id) ?? 0;
        if (paid - spent === balance) return [];
        return [{ subject: user_id, detail: `${paid} put in, ${spent} spent, ${balance} left` }];
      }),
    }),
  },
  {
    name: 'verify finds the books right',
    check: ({ verified }) => ({
      checked: verified.transactions + verified.usageRecords,
      violations: verified.violations.map(({ subject, invariant, detail }) => ({
        subject,
        detail: `${invariant}: ${detail}`,
      })),
    }),
  },
];
