/** How the service does, and what it still lacks. */
import {
  type OverviewView,
  overviewSchema,
  type ReadinessView,
  readinessSchema,
} from '../../../../shared/console/admin-overview.ts';
import {
  type Attention,
  type Overview,
  readOverview,
} from '../../../flows/reading/read-overview.ts';
import { type Readiness, readReadiness } from '../../../flows/reading/read-readiness.ts';
import type { UpstreamOverview } from '../../../flows/reading/read-upstreams.ts';
import { isoTime } from '../../../lib/time-text.ts';
import { type ConsoleRoute, signedInRoute } from '../console-route.ts';
import { presentVastSum } from '../present/amount.ts';
import { isServedSecurely } from '../sign-in/cookies.ts';

const right = 'admin.overview';

export const adminOverviewRoutes: readonly ConsoleRoute[] = [
  signedInRoute({
    method: 'GET',
    path: '/admin/overview',
    summary: 'The last 24 hours in numbers, how upstreams do, and what needs attention',
    right,
    answer: overviewSchema,
    handle: async (_call, { database, clock, lanes }) =>
      presentOverview(
        await database.snapshot((db) => readOverview(db, { lanes, nowMs: clock.now() })),
      ),
  }),
  signedInRoute({
    method: 'GET',
    path: '/admin/readiness',
    summary: 'What it takes to serve others, and what of it is there',
    right,
    answer: readinessSchema,
    handle: async ({ request }, deps) => {
      const { publicUrl, trustedProxies } = deps.options;
      const reach = {
        isSecure: isServedSecurely(request, deps),
        hasBaseUrl: publicUrl !== null,
        hasProxy: trustedProxies > 0,
      };
      return presentReadiness(await deps.database.snapshot((db) => readReadiness(db, reach)));
    },
  }),
];

function presentOverview(overview: Overview): OverviewView {
  return {
    from: isoTime(overview.range.fromMs),
    to: isoTime(overview.range.toMs),
    requests: overview.requests,
    running: overview.running,
    succeeded: overview.succeeded,
    success_rate: overview.successRate,
    spend: presentVastSum(overview.spend),
    median_ms: overview.medianMs,
    p90_ms: overview.p90Ms,
    codes: overview.codes.map(({ code, records }) => ({ code, requests: records })),
    upstreams: overview.upstreams.map(presentHealth),
    attention: overview.attention.map(presentAttention),
  };
}

function presentHealth({
  upstream,
  health,
  check,
  lane,
  stats,
}: UpstreamOverview): OverviewView['upstreams'][number] {
  return {
    id: upstream.id,
    name: upstream.name,
    health,
    checked_at: check && isoTime(check.checkedAt),
    fault: check?.fault ?? null,
    in_flight: lane?.running ?? 0,
    concurrency_max: upstream.limits.concurrencyMax,
    median_ms_24h: stats?.medianMs ?? null,
  };
}

type AttentionView = OverviewView['attention'][number];

function presentAttention(attention: Attention): AttentionView {
  const { kind } = attention;
  switch (kind) {
    case 'model_without_price':
    case 'model_not_served': {
      const { modelId: id } = attention;
      return { kind, id, name: id, count: null, link: { page: 'model', id } };
    }
    case 'upstream_failing': {
      const { upstreamId: id, name, failures: count } = attention;
      return { kind, id, name, count, link: { page: 'upstream', id } };
    }
    case 'wallet_empty': {
      const { userId: id, email: name, refused: count } = attention;
      return { kind, id, name, count, link: { page: 'user', id } };
    }
  }
}

type Item = ReadinessView['items'][number];

function presentReadiness(readiness: Readiness): ReadinessView {
  const item = (
    id: Item['id'],
    state: Item['state'],
    { why, page }: { why: string; page: Item['link']['page'] },
  ): Item => ({ id, state, why, link: { page, id: null } });
  const items = [
    item('admin_account', readiness.adminAccount, {
      why: 'Somebody has to look after the service.',
      page: 'users',
    }),
    item('upstream_connected', readiness.upstreamConnected, {
      why: 'An upstream makes the pictures.',
      page: 'upstreams',
    }),
    item('model_list_chosen', readiness.modelListChosen, {
      why: 'A model needs an entry of an upstream’s list that serves it.',
      page: 'upstreams',
    }),
    item('price_enabled', readiness.priceEnabled, {
      why: 'A model needs a price, and to be enabled.',
      page: 'models',
    }),
    item('model_available', readiness.modelAvailable, {
      why: 'Users can only ask for a model that has both.',
      page: 'models',
    }),
    item('wallet_funded', readiness.walletFunded, {
      why: 'A request is refused without money for it.',
      page: 'users',
    }),
    item('key_created', readiness.keyCreated, {
      why: 'Programs need a key to call the API.',
      page: 'keys',
    }),
    item('first_picture', readiness.firstPicture, {
      why: 'One picture shows that all of it works together.',
      page: 'playground',
    }),
    item('https', readiness.https, {
      why: 'Without it, passwords and keys can be read on the way.',
      page: 'documentation',
    }),
    item('base_url', readiness.baseUrl, {
      why: 'Links in mails and examples need the address of the service.',
      page: 'documentation',
    }),
    item('proxy_streams', readiness.proxyStreams, {
      why: 'A proxy that cuts long answers cuts pictures.',
      page: 'settings',
    }),
    item('sandbox_off', readiness.sandboxOff, {
      why: 'Test pictures would be sold beside real ones.',
      page: 'upstreams',
    }),
  ];
  return { is_ready: items.every(({ state }) => state !== 'open'), items };
}
