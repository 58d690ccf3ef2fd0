/**
 * The addresses of the console's pages: the server answers them with the console, the browser finds
 * its page by them. `$name` stands for one segment. Secrets never stand in an address; those of
 * links that are mailed follow the `#`, which no server sees.
 */
export const pages = {
  home: '/',
  setup: '/setup',
  login: '/login',
  logout: '/logout',
  register: '/register',
  invitation: '/invitation',
  reset: '/reset-password',

  playground: '/playground',
  gallery: '/gallery',
  galleryImage: '/gallery/$id',
  usage: '/usage',
  usageRecord: '/usage/$traceId',
  wallet: '/wallet',
  walletEntry: '/wallet/$entryId',
  keys: '/keys',
  newKey: '/keys/new',
  key: '/keys/$id',
  quickstart: '/quickstart',
  account: '/account',
  trace: '/t/$traceId',

  admin: '/admin',
  models: '/admin/models',
  model: '/admin/models/$id',
  upstreams: '/admin/upstreams',
  newUpstream: '/admin/upstreams/new',
  upstream: '/admin/upstreams/$id',
  users: '/admin/users',
  newUser: '/admin/users/new',
  user: '/admin/users/$id',
  payments: '/admin/payments',
  codes: '/admin/codes',
  log: '/admin/log',
  logRecord: '/admin/log/$traceId',
  audit: '/admin/audit',
  settings: '/admin/settings',
  settingsSection: '/admin/settings/$section',
} as const;

export type PageName = keyof typeof pages;
