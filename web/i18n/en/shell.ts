import { english } from '../words.ts';

/** The frame around every page, and what may happen on any of them. */
export const shell = {
  skipToContent: 'Skip to content',
  navigation: 'Main',
  openMenu: 'Open menu',
  closeMenu: 'Close menu',
  account: 'Account',
  administration: 'Administration',
  nav: {
    playground: 'Playground',
    gallery: 'Gallery',
    usage: 'Usage',
    wallet: 'Wallet',
    keys: 'API keys',
    quickstart: 'Quickstart',
    account: 'Account',
    admin: 'Overview',
    models: 'Models and prices',
    upstreams: 'Upstreams',
    users: 'Users and wallets',
    payments: 'Payments',
    codes: 'Codes',
    log: 'Usage log',
    audit: 'Audit',
    settings: 'Settings',
  },
  needsAction: (count: number) =>
    english.plural(count, { one: '1 needs action', other: `${english.number(count)} need action` }),
  balance: (amount: string) => `Balance ${amount}`,
  exactBalance: (amount: string) => `Exactly ${amount}`,
  running: (count: number) => `${english.number(count)} running`,
  search: 'Search',
  signedInAs: (email: string) => `Signed in as ${email}`,
  signOut: 'Sign out',
  back: (place: string) => `Back to ${place}`,

  offline:
    'You are offline, or the service cannot be reached. What is on the page stays; changes have to wait.',

  newVersion: {
    title: 'A new version is installed',
    text: 'Reload the page to go on with it.',
    whileRunning: 'Requests are running on this page. They go on while you reload it.',
    whileLosing:
      'Requests are running on this page. They would be lost; wait for them, then reload.',
    reload: 'Reload',
  },
  notFound: {
    title: 'Not found',
    text: 'There is nothing at {address}, or it is not yours to see.',
    olderRequests: (days: number) =>
      `Requests are kept for ${english.number(days)} days; of older ones there are only the sums.`,
    home: 'Go to the playground',
  },
  forbidden: {
    title: 'Not allowed',
    roles: { user: 'user', admin: 'administrator' },
    text: (role: string) => `This page needs the role ${role}.`,
    who: (email: string, role: string) => `You are signed in as ${email}, with the role ${role}.`,
  },
  broken: {
    title: 'This page could not be shown',
    text: 'Try again. If it happens again, tell an administrator what you did.',
    part: 'This part could not be loaded',
    /** A page, or a part that opens over one, because of the connection. */
    unloaded: 'It could not be loaded',
  },
  sessionEnded: {
    title: 'Your session has ended',
    text: 'Sign in again to go on. What is on the page stays as it is.',
    leave: 'Leave this page',
    otherUser: 'That is another account. Sign in as {email}, or leave this page.',
  },
  proof: {
    title: 'Confirm that it is you',
    text: 'This needs your password or passkey once more.',
  },
  issuerHelp: (issuer: string) =>
    `${issuer} opens in another tab. Come back to this one when you are signed in there.`,
  leave: {
    title: 'Leave without saving?',
    text: 'Your changes on this page are not saved.',
    stay: 'Stay',
    leave: 'Leave',
  },
  errors: {
    unreachable: 'The service cannot be reached. Check the connection and try again.',
    unreadable: 'The service gave an answer that cannot be read.',
    too_large:
      'A proxy in front of the service refuses a request of this size. Use smaller images, or ask an administrator to raise its limit.',
    internal_error: 'Something went wrong in the service.',
    unavailable: 'The service cannot answer right now. Try again in a moment.',
  },
  traceIdIs: 'Trace ID',

  palette: {
    title: 'Search',
    placeholder: 'A page, a trace ID, or what you want to do',
    placeholderAdmin: 'A page, a trace ID, a user or an upstream',
    pages: 'Pages',
    actions: 'Actions',
    users: 'Users',
    upstreams: 'Upstreams',
    openTrace: (traceId: string) => `Open trace ${traceId}`,
    generate: 'Generate an image',
    createKey: 'Create an API key',
    nothing: 'Nothing matches.',
  },
  shortcuts: {
    title: 'Shortcuts',
    everywhere: 'Everywhere',
    go: 'Go to',
    lists: 'In lists',
    palette: 'Search',
    help: 'Show this list',
    filter: 'Go to the first filter',
    next: 'Next and previous row',
    open: 'Open the row',
    close: 'Close the panel',
    off: 'Single-key shortcuts are turned off in your account.',
    afterwards: 'then',
  },
};
