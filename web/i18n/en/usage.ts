import { english } from '../words.ts';

const requests = (count: number) =>
  english.plural(count, { one: '1 request', other: `${english.number(count)} requests` });

/** What somebody used, and what it cost. */
export const usage = {
  title: 'Usage',
  requestTitle: 'Request',

  spend: 'Spend',
  requests: 'Requests',
  imagesBilled: 'Images billed',
  notBilled: 'Not billed',
  notBilledNote: 'failed and cancelled',
  refundedOf: (charged: string, refunded: string) => `${charged} charged, ${refunded} refunded`,
  allMatching: 'Of all requests that match',

  time: 'Time',
  day: 'Day',
  hour: 'Hour',
  model: 'Model',
  operation: 'Operation',
  key: 'API key',
  requestsColumn: 'Requests',
  images: 'Images',
  cost: 'Cost',
  duration: 'Duration',
  status: 'Status',
  code: 'Code',
  trace: 'Trace ID',
  zone: 'Time zone',
  traceHint: 'tr_…',
  notBilledChoice: 'Not billed',
  moreFilters: 'More filters',
  filterOf: (name: string, value: string) => `${name}: ${value}`,

  chart: 'What is drawn',
  chartTitle: { spend: 'Spend by model', requests: 'Requests by model' },
  spendSummary: (total: string, buckets: number, unit: 'day' | 'hour') =>
    `${total} charged over ${english.plural(buckets, { one: `1 ${unit}`, other: `${english.number(buckets)} ${unit}s` })}`,
  requestsSummary: (total: number, buckets: number, unit: 'day' | 'hour') =>
    `${requests(total)} over ${english.plural(buckets, { one: `1 ${unit}`, other: `${english.number(buckets)} ${unit}s` })}`,
  sum: 'Sum',
  requestCount: requests,

  group: 'Show',
  groups: { none: 'Requests', day: 'By day', model: 'By model', key: 'By key' },
  noKey: 'none',
  refresh: 'Refresh',
  refreshed: {
    off: 'Not refreshed by itself',
    '10s': 'Refreshed every 10 s',
    '60s': 'Refreshed every 60 s',
  },
  refreshes: { off: 'Off', '10s': 'Every 10 s', '60s': 'Every 60 s' },
  newRequests: (count: number, isMore: boolean) =>
    isMore
      ? `More than ${english.number(count)} new requests.`
      : english.plural(count, {
          one: '1 new request.',
          other: `${english.number(count)} new requests.`,
        }),
  showNew: 'Show',

  listFailed: 'The requests could not be loaded',
  chartFailed: 'The chart could not be loaded',
  recordFailed: 'The request could not be loaded',
  emptyTitle: 'No requests yet. Generate an image, or call the API.',
  emptyGenerate: 'Generate an image',
  emptyApi: 'Call the API',
  nothingTitle: 'No requests match.',

  charged: (amount: string) => `Charged ${amount}`,
  running: 'Running',
  unbilled: 'Not billed',
  started: 'Started',
  ended: 'Ended',
  delivered: (images: number, asked: number) =>
    images === asked
      ? english.number(images)
      : `${english.number(images)} of ${english.number(asked)} asked for`,
  form: 'Asked and used',
  asked: 'Asked',
  used: 'Used',
  size: 'Size',
  quality: 'Quality',
  format: 'Format',
  compression: 'Compression',
  background: 'Background',
  stream: 'Streamed',
  streamed: (previews: number) =>
    previews === 0
      ? 'Yes, without previews'
      : english.plural(previews, {
          one: 'Yes, with 1 preview asked for',
          other: `Yes, with ${english.number(previews)} previews asked for`,
        }),
  no: 'No',
  references: 'References',
  withMask: (count: number) => `${english.number(count)}, with a mask`,
  billing: 'Billing',
  unitPrice: 'Price',
  walletEntry: 'Wallet entry',
  balanceAfter: (amount: string) => `balance ${amount} after it`,
  refund: 'Refund',
  timing: 'Where the time went',
  waited: 'Before the upstream',
  upstream: 'Upstream',
  rest: 'Checking and sending',
  notStored: 'Prompts and images are not stored.',
  copySupport: 'Copy support text',
  openLog: 'Open in the usage log',
  openUsage: 'Open in usage',
};
