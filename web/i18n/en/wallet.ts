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
  moreModels: (count: number) =>
    english.plural(count, {
      one: '1 more model',
      other: `${english.number(count)} more models`,
    }),
  noEstimates: 'No model can be used right now.',
  addFunds: 'Add funds',
  addFundsUnknown: 'Ask an administrator to add funds.',
  addFundsBelow: 'Pay online or redeem a code below.',
  contact: (whom: string) => `Contact: ${whom}`,

  pay: 'Pay online',
  payText: (min: string, max: string) =>
    `From ${min} to ${max}. You pay on a page of Stripe and come back here.`,
  payAmount: 'Amount to pay',
  payButton: (amount: string) => `Pay ${amount}`,
  payEmpty: 'Pay',
  badPay: (min: string, max: string) => `Write an amount from ${min} to ${max}.`,
  redeem: 'Redeem a code',
  redeemText: 'A code adds its amount to your wallet, once.',
  code: 'Code',
  codeHint: 'TIN-0000-0000-…',
  redeemButton: 'Redeem',
  badCode: 'Type or paste a code.',
  redeemed: (amount: string, balance: string) =>
    `${amount} was added. The balance is ${balance} now.`,

  payment: 'Your payment',
  paymentStates: {
    open: (amount: string) =>
      `Waiting for the confirmation of ${amount}. It arrives by itself, usually within seconds; bank debits can take days. You can leave this page.`,
    paid: (amount: string) => `${amount} was added to your wallet.`,
    expired: (amount: string) =>
      `No payment of ${amount} was confirmed in time, so nothing was added. If you have paid, it is added as soon as the confirmation comes.`,
    failed: (amount: string) => `The payment of ${amount} failed. Nothing was added.`,
    refused: (amount: string) =>
      `The amount paid is not the ${amount} that was asked for, so nothing was added yet. An administrator has been told.`,
  },
  paymentFailed: 'The payment could not be looked up',
  dismiss: 'Close',
  seeEntry: 'See the entry',
  sourceOf: {
    payment: (provider: string) => `Paid by ${provider}`,
    code: (ending: string) => `Code ending ${ending}`,
    codeFor: (ending: string, note: string) => `Code ending ${ending}: ${note}`,
  },
  source: 'Source',

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
  partly_reversed: 'Partly reversed',
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
