import { english } from '../words.ts';

/** What somebody has, and why it changed. */
export const wallet = {
  title: 'Wallet',
  entryTitle: 'Transaction',

  available: 'Available',
  held: (amount: string, requests: number) =>
    english.plural(requests, {
      one: `${amount} held by 1 running request`,
      other: `${amount} held by ${english.number(requests)} running requests`,
    }),
  enoughFor: 'Enough for about',
  requestsAt: (count: number) =>
    english.plural(count, { one: '1 request', other: `${english.number(count)} requests` }),
  noEstimates: 'No model can be used right now.',
  addFunds: 'Add funds',
  addFundsUnknown: 'Ask an administrator to add funds.',
  contact: 'Contact',

  statement: 'Statement',
  opening: 'Opening balance',
  added: 'Added',
  spent: 'Spent',
  returned: 'Refunded',
  adjusted: 'Adjusted',
  closing: 'Closing balance',
  entries: (count: number) =>
    english.plural(count, { one: '1 entry', other: `${english.number(count)} entries` }),
  doesNotAddUp:
    'The entries do not add up to the recorded balance. Tell an administrator: the books have to be checked.',

  chartTitle: 'Balance',
  chartSummary: (from: string, to: string) => `From ${from} to ${to}`,
  chartFailed: 'The chart could not be loaded',

  time: 'Time',
  kind: 'Kind',
  model: 'Model',
  requests: 'Requests',
  amount: 'Amount',
  balanceAfter: 'Balance after',
  status: 'Status',
  by: 'By',
  note: 'Note',
  trace: 'Trace ID',
  traceHint: 'tr_…',
  zone: 'Time zone',
  filterOf: (name: string, value: string) => `${name}: ${value}`,
  moreFilters: 'More filters',
  settled: 'Settled',
  reversed: 'Reversed',
  system: 'System',
  administrator: 'Administrator',

  listFailed: 'The transactions could not be loaded',
  walletFailed: 'The wallet could not be loaded',
  entryFailed: 'The transaction could not be loaded',
  emptyTitle: 'No transactions yet. Ask an administrator to add funds.',
  nothingTitle: 'No transactions match.',

  number: 'Number',
  cost: 'Cost',
  images: 'Images',
  request: 'Request',
  reverses: 'Returns the charge of',
  reversedBy: 'Returned by',
};
