import { english } from '../words.ts';

/** Everybody's requests, with what upstreams had to do with them. */
export const adminLog = {
  title: 'Usage log',
  recordTitle: 'Request',
  user: 'User',
  upstream: 'Upstream',
  attempts: 'Attempts',
  httpStatus: 'HTTP status',
  code: 'Code',
  upstreamRequest: 'Upstream request ID',
  minDuration: 'Longer than',
  seconds: 's',
  userHint: 'E-mail or ID',
  live: 'Follow',
  listFailed: 'The log could not be loaded',
  recordFailed: 'The request could not be loaded',
  empty: 'No requests yet.',
  nothing: 'No requests match.',
  none: '–',

  groups: { requests: 'Requests', upstream: 'By upstream' },
  noUpstream: 'None was called',
  failed: 'Failed',
  failedOf: (failed: string, share: string) => `${failed} · ${share}`,
  median: 'Median time',
  charged: 'Charged',
  refundedColumn: 'Refunded',
  sumsFailed: 'The upstreams could not be compared',
  sumsExplained:
    'Attempts are calls to the upstream; failed are those that made no image, for whatever reason. The time is that of the others.',
  sumsKept: (days: number) =>
    `Which upstream was called is known of single requests, which are kept for ${english.number(days)} days.`,
  sumsWithout: (count: number) =>
    english.plural(count, {
      one: '1 older request is in the totals above, and not in the table.',
      other: `${english.number(count)} older requests are in the totals above, and not in the table.`,
    }),
  tooManyToCompare: (count: number, max: number) =>
    `${english.number(count)} requests match; upstreams are compared over at most ${english.number(max)}. Choose a shorter range or more filters.`,

  route: 'Route',
  noAttempts: 'No upstream was called.',
  picture: 'Image',
  attempt: 'Try',
  began: 'Began',
  took: 'Took',
  outcome: 'Outcome',
  success: 'Made the image',
  skipped: (reason: string) => `Not called: ${reason}`,
  maybeCharged: 'may have been charged by the upstream',
  queuedBehind: (jobs: number) =>
    english.plural(jobs, {
      one: 'behind 1 job in its queue',
      other: `behind ${english.number(jobs)} jobs in its queue`,
    }),
  after: (duration: string) => `after ${duration}`,

  money: 'Money',
  noHold: 'No money was set aside: the request was refused before.',
  hold: 'Set aside',
  holdStates: {
    open: 'held',
    settled: 'settled',
    released: 'released',
    expired: 'expired',
  },
  endedAt: 'Ended',
  deliveredAt: 'Handed over',
  process: 'Process',
  charge: 'Charge',
  openWallet: 'Open the wallet',
  price: 'Price',

  refund: 'Refund',
  refundTitle: 'Refund this charge?',
  refundText: 'Each charge can be refunded once. The user sees the reason in the wallet.',
  refundAmount: 'Amount',
  refundAmountHelp: (charged: string) => `Up to ${charged}. Empty returns all of it.`,
  reason: 'Reason',
  refundConfirm: (amount: string) => `Refund ${amount}`,
  refunded: (amount: string, balance: string) =>
    `${amount} refunded. The balance is ${balance} now.`,
  alreadyRefunded: 'It was refunded already.',
  noCharge: 'There is no charge to refund.',
  notStored: 'Prompts and images are not stored.',
  mend: 'See what the model lacks',
};
