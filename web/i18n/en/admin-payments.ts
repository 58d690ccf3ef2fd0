/** What users paid. */
export const adminPayments = {
  title: 'Payments',
  failed: 'The payments could not be loaded',
  empty:
    'No payments yet. They begin when Stripe or a signed webhook is set up: see docs/payments.md.',
  nothing: 'No payments match.',
  state: 'State',
  states: {
    open: 'Waiting',
    paid: 'Paid',
    expired: 'Expired',
    failed: 'Failed',
    refused: 'Not credited',
  },
  attention: 'Attention',
  needed: 'Needs attention',
  filterOf: (name: string, value: string) => `${name}: ${value}`,
  time: 'Time',
  user: 'User',
  provider: 'Provider',
  amount: 'Amount',
  takenBack: 'Taken back',
  missing: 'Missing',
  problem: 'Problem',
  problems: {
    amount_differs: 'Another amount was paid',
    currency_differs: 'Another currency',
    not_covered: 'Not covered by the wallet',
    disputed: 'Disputed',
  },
  settled: 'settled',
  settle: 'Settle',
  settleTitle: 'Settle the problem?',
  settleText:
    'This only says that somebody has seen to it: it moves no money. Give money, or take it, on the page of the user.',
  settleConfirm: 'It is settled',
  what: 'What was done',
};
