import { english } from '../words.ts';

/** How the service does, and what it still lacks. */
export const adminOverview = {
  title: 'Overview',
  readiness: 'Readiness',
  progress: (done: number, all: number) => `${english.number(done)} of ${english.number(all)} done`,
  done: (count: number) =>
    english.plural(count, { one: '1 done', other: `${english.number(count)} done` }),
  states: {
    done: 'Done',
    open: 'To do',
    unknown: 'To be tested',
    not_needed: 'Not needed',
  },
  items: {
    admin_account: {
      name: 'Administrator account',
      why: 'Somebody has to look after the service.',
      fix: 'Add a user',
    },
    upstream_connected: {
      name: 'Upstream connected',
      why: 'An upstream makes the images.',
      fix: 'Connect an upstream',
    },
    model_list_chosen: {
      name: 'Model list chosen',
      why: 'A model needs an entry of an upstream’s list that serves it.',
      fix: 'Choose from the list',
    },
    price_enabled: {
      name: 'Price set and enabled',
      why: 'A model needs a price, and to be enabled.',
      fix: 'Set a price',
    },
    model_available: {
      name: 'A model available to users',
      why: 'Users can only ask for a model that has both.',
      fix: 'See what is missing',
    },
    wallet_funded: {
      name: 'Wallet funded',
      why: 'A request is refused without money for it.',
      fix: 'Add funds',
    },
    key_created: {
      name: 'API key created',
      why: 'Programs need a key to call the API.',
      fix: 'Create a key',
    },
    first_picture: {
      name: 'First image made',
      why: 'One image shows that all of it works together.',
      fix: 'Generate an image',
    },
    https: {
      name: 'Served over HTTPS',
      why: 'Without it, passwords and keys can be read on the way.',
      fix: 'Put a proxy with a certificate in front of it, and set TINTYPE_TRUSTED_PROXIES.',
    },
    base_url: {
      name: 'Base URL set',
      why: 'Links in mails and examples need the address of the service.',
      fix: 'Set TINTYPE_PUBLIC_URL to the address that people type, and restart.',
    },
    proxy_streams: {
      name: 'Proxy passes streams of 150 s',
      why: 'A proxy that cuts long answers cuts images.',
      fix: 'Test it',
    },
    sandbox_off: {
      name: 'Sandbox switched off',
      why: 'Test images would be sold beside real ones.',
      fix: 'Disable the sandbox',
    },
  },
  last24h: 'The last 24 hours',
  requests: 'Requests',
  running: (count: number) => `${english.number(count)} running`,
  successRate: 'Success rate',
  successNote: (succeeded: number) => `${english.number(succeeded)} succeeded`,
  spend: 'Spend',
  spendNote: 'of all users',
  duration: 'Median duration',
  p90: (duration: string) => `90% within ${duration}`,
  nothing: '–',
  attention: 'Needs attention',
  attentionEmpty: 'Nothing needs attention.',
  attentionOf: {
    model_without_price: 'has no price, so nobody can use it.',
    model_not_served: 'has a price, but no upstream serves it.',
    upstream_failing: (count: number | null) =>
      count === null || count === 0
        ? 'is failing.'
        : english.plural(count, {
            one: 'failed its last check.',
            other: `failed its last ${english.number(count)} checks.`,
          }),
    wallet_empty: (count: number | null) =>
      count === null
        ? 'has an empty wallet.'
        : english.plural(count, {
            one: 'has no money left: 1 request was refused.',
            other: `has no money left: ${english.number(count)} requests were refused.`,
          }),
  },
  codes: 'Errors by code',
  codesEmpty: 'No request failed.',
  upstreams: 'Upstreams',
  upstreamsEmpty: 'No upstream yet.',
  addUpstream: 'Add an upstream',
  name: 'Upstream',
  health: 'Health',
  checked: 'Last check',
  inFlight: 'In flight',
  median: 'Median, 24 h',
  failed: 'The overview could not be loaded',
  readinessFailed: 'The checklist could not be loaded',
};
