/** An example of every page of the console, and of every tab: what all pages owe is asked of these. */
import { type PageName, pages } from '../../../shared/console/pages.ts';
import { hrefOf, paths, type Target } from '../../../web/paths.ts';
import type { Demo } from './demo.ts';

export interface PageExample {
  /** Also of its pictures. */
  name: string;
  href: string;
  who: Visitor;
}

/** Nobody, the demo's user or administrator, or somebody who has done nothing yet. */
export type Visitor = 'nobody' | 'user' | 'newcomer' | 'admin';

/** Where there is no page. */
export const nowhere = '/nowhere';

/** Those of one visitor after another. */
export function everyPage(demo: Demo): readonly PageExample[] {
  const found = examplesOf(demo);
  const all = Object.entries(found).flatMap(([page, examples]) =>
    examples.map(([who, name, target]) => ({
      name: name === '' ? page : `${page}-${name}`,
      href: typeof target === 'string' ? target : hrefOf(target),
      who,
    })),
  );
  const visitors = ['nobody', 'user', 'newcomer', 'admin'] as const;
  return visitors.flatMap((visitor) => all.filter(({ who }) => who === visitor));
}

/** Who sees it, what tells it from others of its page, and where it is. */
type Example = readonly [who: Visitor, name: string, target: Target | string];

/** By page, so that the compiler notices a new one; and where there is none. */
type Examples = Readonly<Record<PageName | 'nowhere', readonly Example[]>>;

/** Of a picture that tests put into the gallery. */
const runId = 'seeded-00000';
const unknownTraceId = 'tr_01jd3k8qzv6w0x9m2n4p6r8t0a';

function examplesOf(demo: Demo): Examples {
  const { user, admin } = demo;
  return {
    ...entryExamples(demo),
    playground: [
      ['user', '', paths.playground()],
      ['newcomer', 'without-money', paths.playground()],
    ],
    gallery: [
      ['user', '', paths.gallery()],
      ['newcomer', 'empty', paths.gallery()],
    ],
    galleryImage: [['user', '', paths.galleryImage(runId)]],
    usage: [
      ['user', '', paths.usage({ range: '30d' })],
      ['user', 'sums', paths.usage({ range: '30d', group: 'model' })],
      ['newcomer', 'empty', paths.usage()],
    ],
    usageRecord: [
      ['user', '', paths.usageRecord(user.traceId)],
      ['user', 'unknown', paths.usageRecord(unknownTraceId)],
    ],
    wallet: [
      ['user', '', paths.wallet({ range: '30d' })],
      ['newcomer', 'empty', paths.wallet()],
    ],
    walletEntry: [['user', '', paths.walletEntry(user.transactionId)]],
    keys: [
      ['user', '', paths.keys()],
      ['newcomer', 'empty', paths.keys()],
    ],
    newKey: [['user', '', paths.newKey()]],
    key: [['user', '', paths.key(user.keyId)]],
    quickstart: [['user', '', paths.quickstart()]],
    account: ['profile', 'preferences', 'security', 'sessions', 'tokens', 'browser'].map(
      (tab) => ['user', tab, paths.account(tab)] as const,
    ),
    trace: [['user', 'unknown', paths.trace(unknownTraceId)]],
    ...adminExamples(demo),
    logRecord: [['admin', '', paths.logRecord(admin.traceId)]],
  };
}

function entryExamples({ invitation, passwordReset }: Demo) {
  return {
    nowhere: [['nobody', '', nowhere]],
    // Leads to the playground.
    home: [],
    setup: ['upstream', 'models', 'wallet', 'picture'].map(
      (step) => ['admin', step, paths.setup(step)] as const,
    ),
    login: [['nobody', '', paths.login()]],
    logout: [['nobody', '', paths.logout()]],
    register: [['nobody', '', paths.register()]],
    invitation: [
      ['nobody', '', `${pages.invitation}#${invitation}`],
      ['nobody', 'without-secret', pages.invitation],
    ],
    reset: [
      ['nobody', '', `${pages.reset}#${passwordReset}`],
      ['nobody', 'ask', paths.reset()],
    ],
  } satisfies Partial<Examples>;
}

function adminExamples({ user }: Demo) {
  const tabsOf = (target: (tab: string) => Target, tabs: readonly string[]) =>
    tabs.map((tab) => ['admin', tab, target(tab)] as const);
  return {
    admin: [
      ['admin', '', paths.admin()],
      ['newcomer', 'forbidden', paths.admin()],
    ],
    models: [['admin', '', paths.models()]],
    model: [['admin', '', paths.model('gen-image-2.5-flare')]],
    upstreams: [['admin', '', paths.upstreams()]],
    newUpstream: [['admin', '', paths.newUpstream()]],
    upstream: tabsOf(
      (tab) => paths.upstream('sandbox', { tab }),
      ['connection', 'models', 'test', 'activity'],
    ),
    users: [['admin', '', paths.users()]],
    newUser: [['admin', '', paths.newUser()]],
    user: tabsOf(
      (tab) => paths.user(user.id, { tab }),
      ['overview', 'wallet', 'keys', 'usage', 'sessions'],
    ),
    payments: [['admin', '', paths.payments()]],
    codes: [['admin', '', paths.codes()]],
    log: [
      ['admin', '', paths.log({ range: '30d' })],
      ['admin', 'upstreams', paths.log({ range: '30d', group: 'upstream' })],
    ],
    audit: [['admin', '', paths.audit({ range: '30d' })]],
    settings: [['admin', '', paths.settings()]],
    settingsSection: tabsOf(paths.settingsSection, ['access', 'limits', 'notices', 'proxy']),
  } satisfies Partial<Examples>;
}
