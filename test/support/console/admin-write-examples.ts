/** A call of every route by which administrators change something. */
import { listSessions } from '../../../server/identity/session-store.ts';
import { must } from '../../../server/lib/assert.ts';
import { catalogExamples } from './admin-catalog-examples.ts';
import { moneyExamples } from './admin-money-examples.ts';
import { type Call, makePaidPicture, type WriteExample } from './admin-world.ts';
import { addMember } from './visitor.ts';

/** By method and path as in the list of routes. */
export const writeExamples: Readonly<Record<string, WriteExample>> = {
  ...catalogExamples,
  'POST /admin/users': {
    right: ({ user }) => ({
      path: '/admin/users',
      body: {
        email: `new-${user.email}`,
        name: 'New',
        top_up: '5',
        password: 'a sentence to sign in with',
      },
    }),
    wrong: async () => ({
      path: '/admin/users',
      body: { email: 'short@example.com', name: 'New', password: 'short' },
      param: 'password',
    }),
    missing: null,
  },
  'PATCH /admin/users/:id': {
    right: ({ user }) => ({
      path: `/admin/users/${user.id}`,
      body: { name: 'Another', slots_max: 3 },
    }),
    wrong: async ({ admin }) => ({
      path: `/admin/users/${admin.id}`,
      body: { role: 'user' },
      param: 'role',
    }),
    missing: () => ({ path: '/admin/users/usr_nobody', body: { name: 'Another' } }),
  },
  'PUT /admin/users/:id/enabled': {
    right: ({ user }) => ({ path: `/admin/users/${user.id}/enabled`, body: { enabled: false } }),
    wrong: async ({ admin }) => ({
      path: `/admin/users/${admin.id}/enabled`,
      body: { enabled: false },
      param: 'enabled',
    }),
    missing: () => ({ path: '/admin/users/usr_nobody/enabled', body: { enabled: false } }),
  },
  'POST /admin/users/:id/erasure': {
    right: async ({ api }) => {
      const { id, email } = await addMember(api.app, { money: '5' });
      return { path: `/admin/users/${id}/erasure`, body: { email, forfeit: true } };
    },
    wrong: async ({ user }) => ({
      path: `/admin/users/${user.id}/erasure`,
      body: { email: 'another@example.com' },
      param: 'email',
    }),
    missing: () => ({ path: '/admin/users/usr_nobody/erasure', body: { email: 'x@example.com' } }),
  },
  'PUT /admin/users/:id/keys/:key/enabled': {
    right: ({ user }) => ({
      path: `/admin/users/${user.id}/keys/${user.apiKeyId}/enabled`,
      body: { enabled: false },
    }),
    wrong: async ({ user }) => ({
      path: `/admin/users/${user.id}/keys/${user.apiKeyId}/enabled`,
      body: {},
      param: 'enabled',
    }),
    missing: ({ admin, user }) => ({
      path: `/admin/users/${admin.id}/keys/${user.apiKeyId}/enabled`,
      body: { enabled: false },
    }),
  },
  'DELETE /admin/users/:id/keys/:key': {
    right: ({ user }) => ({ path: `/admin/users/${user.id}/keys/${user.apiKeyId}` }),
    wrong: async ({ user }) => ({
      path: `/admin/users/${user.id}/keys/${user.apiKeyId}?reason=${'x'.repeat(501)}`,
      param: 'reason',
    }),
    missing: ({ admin, user }) => ({ path: `/admin/users/${admin.id}/keys/${user.apiKeyId}` }),
  },
  'DELETE /admin/users/:id/sessions': {
    right: ({ user }) => ({ path: `/admin/users/${user.id}/sessions` }),
    wrong: async ({ user }) => ({
      path: `/admin/users/${user.id}/sessions?reason=${'x'.repeat(501)}`,
      param: 'reason',
    }),
    missing: () => ({ path: '/admin/users/usr_nobody/sessions' }),
  },
  'DELETE /admin/users/:id/sessions/:session': {
    right: async ({ api, user }) => {
      const { database, admin } = api.app;
      const nowMs = admin.clock.now();
      const [session] = await listSessions(database, { userId: user.id, nowMs });
      return { path: `/admin/users/${user.id}/sessions/${must(session, 'a session').id}` };
    },
    wrong: async ({ user }) => ({
      path: `/admin/users/${user.id}/sessions/ses_1?reason=${'x'.repeat(501)}`,
      param: 'reason',
    }),
    missing: ({ user }) => ({ path: `/admin/users/${user.id}/sessions/ses_nothing` }),
  },
  'POST /admin/users/:id/wallet/orders': {
    right: ({ user }) => ({
      path: `/admin/users/${user.id}/wallet/orders`,
      body: { reference: 'order-0001', change: 'add', amount: '10', reason: 'paid by bank' },
    }),
    wrong: async ({ user }) => ({
      path: `/admin/users/${user.id}/wallet/orders`,
      body: { reference: 'order-0002', change: 'add', amount: '10', reason: ' ' },
      param: 'reason',
    }),
    missing: () => ({
      path: '/admin/users/usr_nobody/wallet/orders',
      body: { reference: 'order-0003', change: 'add', amount: '10', reason: 'paid' },
    }),
  },
  'POST /admin/log/:traceId/refund': {
    right: async (world) => ({
      path: `/admin/log/${await makePaidPicture(world)}/refund`,
      body: { reason: 'it was ugly' },
    }),
    wrong: async (world) => ({
      path: `/admin/log/${await makePaidPicture(world)}/refund`,
      body: { amount: '1000', reason: 'it was ugly' },
      param: 'amount',
    }),
    missing: () => ({ path: '/admin/log/tr_nothing/refund', body: { reason: 'x' } }),
  },
  ...moneyExamples,
  'PATCH /admin/settings/:section': {
    right: ({ admin }) => ({
      path: '/admin/settings/general',
      body: { values: { contact: admin.email, top_up_text: `Ask ${admin.email}` } },
    }),
    changes: 2,
    wrong: async () => ({
      path: '/admin/settings/limits',
      body: { values: { slots_per_user: 0 } },
      param: 'slots_per_user',
    }),
    missing: null,
  },
};

/** Routes that change nothing, though they are no GET. */
export const harmlessExamples: Readonly<Record<string, Call>> = {
  'POST /admin/upstreams/:upstream/test': { path: '/admin/upstreams/sandbox/test', body: {} },
};
