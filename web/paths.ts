/** Every address of the console. Links take what these functions return; nobody else writes one. */
import { pages } from '../shared/console/pages.ts';

export { pages };

/** Where a link leads: a path, and the state that the page keeps in its address. */
export interface Target {
  path: string;
  search?: SearchState;
}

export type SearchState = Readonly<Record<string, string | readonly string[] | undefined>>;

export const paths = {
  home: at(pages.home),
  login: (next?: string) => to(pages.login, {}, next === undefined ? {} : { next }),
  logout: at(pages.logout),
  setup: (step?: string) => to(pages.setup, {}, { step }),
  register: at(pages.register),
  reset: at(pages.reset),

  playground: (search: { from?: string; as?: 'edit' | 'rerun' } = {}) =>
    to(pages.playground, {}, search),
  gallery: at(pages.gallery),
  galleryImage: (id: string, search: SearchState = {}) => to(pages.galleryImage, { id }, search),
  usage: at(pages.usage),
  usageRecord: (traceId: string, search: SearchState = {}) =>
    to(pages.usageRecord, { traceId }, search),
  wallet: at(pages.wallet),
  walletEntry: (entryId: string, search: SearchState = {}) =>
    to(pages.walletEntry, { entryId }, search),
  keys: at(pages.keys),
  newKey: at(pages.newKey),
  key: (id: string, search: SearchState = {}) => to(pages.key, { id }, search),
  quickstart: at(pages.quickstart),
  account: (tab?: string) => to(pages.account, {}, { tab }),
  trace: (traceId: string) => to(pages.trace, { traceId }),

  admin: at(pages.admin),
  models: at(pages.models),
  model: (id: string, search: SearchState = {}) => to(pages.model, { id }, search),
  upstreams: at(pages.upstreams),
  newUpstream: at(pages.newUpstream),
  upstream: (id: string, search: SearchState = {}) => to(pages.upstream, { id }, search),
  users: at(pages.users),
  newUser: at(pages.newUser),
  user: (id: string, search: SearchState = {}) => to(pages.user, { id }, search),
  payments: at(pages.payments),
  codes: at(pages.codes),
  log: at(pages.log),
  logRecord: (traceId: string, search: SearchState = {}) =>
    to(pages.logRecord, { traceId }, search),
  audit: at(pages.audit),
  settings: at(pages.settings),
  settingsSection: (section: string) => to(pages.settingsSection, { section }),
} as const;

/** A target as the text of an address, for what is not a link of the router. */
export function hrefOf({ path, search = {} }: Target): string {
  const text = writeSearch(search);
  return text === '' ? path : `${path}?${text}`;
}

/** Plain text for every value; a list is written as often as it has items. */
export function writeSearch(search: SearchState): string {
  const written = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (value === undefined || value === '') continue;
    for (const each of typeof value === 'string' ? [value] : value) written.append(name, each);
  }
  return written.toString();
}

function at(path: string) {
  return (search: SearchState = {}): Target => ({ path, search });
}

function to(
  pattern: string,
  params: Readonly<Record<string, string>>,
  search: SearchState = {},
): Target {
  const path = pattern.replace(/\$(\w+)/g, (_found, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  );
  return { path, search };
}
