import { english } from '../words.ts';

const models = (count: number) =>
  english.plural(count, { one: '1 model', other: `${english.number(count)} models` });

/** Models and what they cost. */
export const adminModels = {
  title: 'Models and prices',
  filter: 'Show',
  states: {
    all: 'All',
    available: 'Available',
    needs_price: 'Needs a price',
    not_selected: 'Not selected upstream',
    disabled: 'Disabled',
  },
  counted: (name: string, count: number) => `${name} ${english.number(count)}`,
  model: 'Model',
  price: 'Price per request',
  ticks: 'Ready',
  priced: 'Price, enabled',
  served: 'Selected upstream',
  upstreams: 'Upstreams',
  servingOf: (serving: number, selected: number) =>
    `${english.number(serving)} of ${english.number(selected)}`,
  available: 'Available',
  requests: 'Requests, 7 days',
  updated: 'Updated',
  noPrice: 'no price',
  isAvailable: 'Available to users',
  isNot: 'Not available to users',
  both: 'A model can be used when both ticks are there.',

  add: 'Add a model',
  addTitle: 'Add a model',
  id: 'Model ID',
  idHelp: 'What callers name in a request. It cannot be changed later.',
  description: 'Description',
  descriptionHelp: 'One line, shown where models are chosen.',
  extended: 'Extra qualities',
  extendedHelp: 'Offers the qualities xhigh and max.',
  position: 'Place in the list',
  positionHelp: 'Smaller numbers come first.',
  addConfirm: 'Add the model',

  listFailed: 'The models could not be loaded',
  modelFailed: 'The model could not be loaded',
  upstreamsFailed: 'The upstreams could not be loaded',
  empty: 'Models appear here after you add an upstream and choose from its list.',
  nothing: 'No model is in this state.',
  showAll: 'Show all',
  addUpstream: 'Add an upstream',

  selected: (count: number) => `${models(count)} selected`,
  clear: 'Clear the selection',
  setPrice: 'Set the price',
  bulkTitle: {
    enable: (count: number) => `Enable ${models(count)}?`,
    disable: (count: number) => `Disable ${models(count)}?`,
  },
  bulkText: {
    enable: 'Users can ask for those that have a price and are selected upstream.',
    disable: 'Nobody can ask for them any more. Requests already running go on.',
  },
  bulkConfirm: {
    enable: (count: number) => `Enable ${models(count)}`,
    disable: (count: number) => `Disable ${models(count)}`,
  },
  bulkDone: (count: number) => `${models(count)} changed`,

  priceSection: 'Price',
  newPrice: 'New price',
  review: 'Review the change',
  confirmPriceTitle: 'Change the price?',
  keepsOld: 'Requests already running keep the old price.',
  firstPrice: 'first price',
  same: 'unchanged',
  confirmPrice: (amount: string) => `Set the price to ${amount}`,
  confirmPrices: (count: number, amount: string) =>
    `Set the price of ${models(count)} to ${amount}`,
  history: 'Price history',
  since: 'Since',
  by: 'By',
  noHistory: 'No price was ever set.',

  enabledLabel: 'Enabled',
  enabledHelp: 'Whether callers may ask for it.',
  needsPriceFirst: 'Set a price first.',
  details: 'Details',
  servedBy: 'Served by',
  notServed: 'Nothing serves it yet. Choose an entry of an upstream’s list.',
  upstream: 'Upstream',
  entry: 'Entry of its list',
  select: 'Select',
  serves: 'serves',
  servesNot: 'does not serve now',
  strictMask: 'strict mask',
  withExtra: (count: number) =>
    english.plural(count, { one: '1 extra field', other: `${count} extra fields` }),
  unselect: (upstream: string) => `Remove the selection at ${upstream}`,
  noUpstream: 'There is no upstream yet.',
  emptyList: 'Its model list is empty.',
  selectedAlready: 'Selected already.',
};
