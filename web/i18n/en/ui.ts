import { english } from '../words.ts';

/** The words of the components in `ui/`. */
export const ui = {
  show: 'Show',
  hide: 'Hide',
  close: 'Close',
  cancel: 'Cancel',
  copy: 'Copy',
  copied: 'Copied',
  copyFailed: 'Could not copy. Select the text and copy it by hand.',
  copyTraceId: (traceId: string) => `Copy trace ID ${traceId}`,
  traceId: 'Trace ID',
  loading: 'Loading',
  newer: 'Newer',
  first: 'First page',
  older: 'Older',
  pages: 'Pages',
  lostPlace: 'This place in the list does not exist any more.',
  firstPage: 'Go to the first page',
  total: (count: number, isExact: boolean) =>
    isExact
      ? english.plural(count, { one: '1 row', other: `${english.number(count)} rows` })
      : `More than ${english.number(count)} rows`,
  retry: 'Retry',
  dismiss: 'Dismiss',
  notifications: 'Notifications',
  clear: 'Clear',
  clearFilters: 'Clear filters',
  traceInAllDays: 'Look for the trace ID in all days',
  filters: 'Filters',
  any: 'Any',
  unknownChoice: (value: string) => `unknown: ${value}`,
  removeFilter: (label: string) => `Remove filter ${label}`,
  range: 'Range',
  resolvedRange: ({ from, to, zone }: { from: string; to: string; zone: string }) =>
    `${from} 00:00 to ${to} 24:00, ${zone}`,
  from: 'From',
  to: 'To',
  presets: {
    today: 'Today',
    yesterday: 'Yesterday',
    '7d': '7 days',
    '30d': '30 days',
    this_month: 'This month',
    last_month: 'Last month',
    custom: 'Custom',
  },
  free: 'Free',
  perRequest: 'per request',
  severalImages: 'A request for several images costs its price once for each.',
  /** After a price: what several images of one request were charged as. */
  timesImages: (count: number) => `× ${english.number(count)} images`,
  showAsTable: 'Show as table',
  showAsChart: 'Show as chart',
  optional: 'Optional',
  columns: 'Columns',
  selectRow: (key: string) => `Select row ${key}`,
  selectAll: 'Select all rows',
  other: 'Other',
  /** Said in passing, behind something else. */
  aside: ' ({text})',
  /** What several are named alike by, and which of them. */
  labelled: (label: string, which: string) => `${label}: ${which}`,
  /** As short as can be, without "and". */
  listed: (names: readonly string[]) => names.join(', '),
  /** One after another. */
  sentences: (texts: readonly string[]) => texts.join(' '),
};
