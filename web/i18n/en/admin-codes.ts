import { english } from '../words.ts';

/** Codes that stand for money. */
export const adminCodes = {
  title: 'Codes',
  failed: 'The codes could not be loaded',
  empty: 'No codes yet. Make some for people who add money to their wallet without paying here.',
  nothing: 'No codes match.',
  create: 'Make codes',
  createText: 'Each code adds its amount to one wallet, once, for whoever redeems it first.',
  createConfirm: 'Make the codes',
  amount: 'Amount of each',
  count: 'How many',
  badCount: (max: number) => `Write a whole number from 1 to ${english.number(max)}.`,
  note: 'Note',
  noteHelp: 'For administrators, and shown on the wallet entry of whoever redeems one.',
  expiry: 'Valid',
  expiries: {
    never: 'Until redeemed',
    '30d': '30 days',
    '90d': '90 days',
    '365d': 'One year',
  },
  unsure:
    'They may have been made anyway, and nobody has seen them. Make the codes again: the earlier ones are withdrawn. If you close this instead, withdraw them in the list.',
  madeTitle: (count: number) =>
    english.plural(count, { one: 'The code', other: `The ${english.number(count)} codes` }),
  madeText: (count: number) =>
    english.plural(count, {
      one: 'Store it now: it is shown only this once, and only its fingerprint is kept here.',
      other:
        'Store them now: they are shown only this once, and only a fingerprint of each is kept here.',
    }),
  secret: 'Codes',
  download: 'Download CSV',
  stored: (count: number) =>
    english.plural(count, { one: 'I have stored it', other: 'I have stored them' }),
  storedFirst: (count: number) =>
    english.plural(count, {
      one: 'Store it first, then tick the box.',
      other: 'Store them first, then tick the box.',
    }),
  done: 'Done',

  state: 'State',
  states: {
    open: 'Open',
    redeemed: 'Redeemed',
    withdrawn: 'Withdrawn',
    expired: 'Expired',
  },
  filterOf: (name: string, value: string) => `${name}: ${value}`,
  batch: 'Batch',
  total: (count: number, sum: string | null) =>
    english.plural(count, { one: '1 code', other: `${english.number(count)} codes` }) +
    (sum === null ? '' : ` for ${sum}`),
  code: 'Code',
  value: 'Amount',
  made: 'Made',
  by: 'By',
  expires: 'Expires',
  redeemedBy: 'Redeemed by',
  withdraw: 'Withdraw',
  withdrawBatch: 'Withdraw the batch',
  withdrawTitle: (ending: string) => `Withdraw the code ending ${ending}?`,
  withdrawBatchTitle: 'Withdraw what is left of the batch?',
  withdrawText: 'Nobody can redeem it any more. This cannot be undone.',
  withdrawBatchText:
    'Nobody can redeem its open codes any more. Redeemed codes stay redeemed. This cannot be undone.',
};
