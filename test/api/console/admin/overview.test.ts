import { beforeAll, describe, expect, it, vi } from 'vitest';
import { readReadiness } from '../../../../server/flows/reading/read-readiness.ts';
import {
  overviewSchema,
  readinessIds,
  readinessSchema,
} from '../../../../shared/console/admin-overview.ts';
import { describeApi } from '../../../support/callers/api.ts';
import {
  type AdminWorld,
  addKeyedUpstream,
  enterAsAdmin,
  makePaidPicture,
  sent,
} from '../../../support/console/admin-world.ts';
import { signedIn } from '../../../support/console/visitor.ts';
import { forEachEngine } from '../../../support/databases/databases.ts';

describeApi((api) => {
  let world: AdminWorld;
  beforeAll(async () => {
    world = await enterAsAdmin(api);
  });

  const overview = async () =>
    overviewSchema.parse((await sent(world, 'GET', { path: '/admin/overview' })).body);
  const readiness = async () => {
    const answer = await sent(world, 'GET', { path: '/admin/readiness' });
    const { is_ready: isReady, items } = readinessSchema.parse(answer.body);
    return { isReady, states: new Map(items.map(({ id, state }) => [id, state])) };
  };

  it('has no rates and durations before the first request', async () => {
    expect(await overview()).toMatchObject({
      requests: 0,
      success_rate: null,
      median_ms: null,
      p90_ms: null,
      spend: { text: '0.00' },
      codes: [],
    });
    expect((await readiness()).states.get('first_picture')).toBe('open');
  });

  it('counts requests, what they cost, how long they took, and why they failed', async () => {
    await makePaidPicture(world);
    await makePaidPicture(world);
    const broke = await api.app.addUser({ money: '0' });
    const body = { model: 'gen-image-2.5-flare', prompt: 'a boat' };
    await (await api.app.post('/v1/images/generations', broke, body)).arrayBuffer();
    // Refused requests are written down a little later.
    await vi.waitUntil(async () => (await overview()).requests === 3);
    const shown = await overview();
    expect(shown).toMatchObject({
      requests: 3,
      succeeded: 2,
      success_rate: 2 / 3,
      spend: { text: '0.08' },
      median_ms: expect.any(Number),
      codes: [{ code: 'insufficient_quota', requests: 1 }],
      upstreams: [{ name: 'sandbox', health: 'healthy', in_flight: 0 }],
    });
    expect(shown.attention).toContainEqual({
      kind: 'wallet_empty',
      id: broke.id,
      name: broke.email,
      count: 1,
      link: { page: 'user', id: broke.id },
    });
  });

  it('names what needs attention, and leaves out what was withdrawn on purpose', async () => {
    const models = ['unpriced', 'unserved', 'withdrawn'];
    for (const id of models) await sent(world, 'POST', { path: '/admin/models', body: { id } });
    for (const id of ['unserved', 'withdrawn']) {
      const body = { price: '0.10' };
      await sent(world, 'PUT', { path: `/admin/models/${id}/price`, body });
    }
    const body = { enabled: true };
    await sent(world, 'PUT', { path: '/admin/models/unserved/enabled', body });
    const failing = await addKeyedUpstream(world);
    const path = `/admin/upstreams/${failing}/keys/main/enabled`;
    await sent(world, 'PUT', { path, body: { enabled: false } });
    const { attention } = await overview();
    const named = attention.map(({ kind, name }) => `${kind} ${name}`);
    expect(named).toEqual(
      expect.arrayContaining([
        'model_without_price unpriced',
        'model_not_served unserved',
        `upstream_failing ${failing}`,
      ]),
    );
    expect(named.join()).not.toContain('withdrawn');
    // Beside the navigation only what the page itself can mend.
    expect((await world.visitor.get('/bootstrap')).body).toMatchObject({
      user: { attention: { models: 1, upstreams: 1 } },
    });
  });

  it('names an upstream that fails, and what else is urgent, before a catalog without prices', async () => {
    for (let number = 0; number < 60; number++) {
      await sent(world, 'POST', { path: '/admin/models', body: { id: `unpriced-${number}` } });
    }
    const { attention } = await overview();
    const kinds = Map.groupBy(attention, ({ kind }) => kind);
    expect([...kinds.keys()]).toEqual([
      'upstream_failing',
      'model_not_served',
      'wallet_empty',
      'model_without_price',
    ]);
    expect(kinds.get('model_without_price')).toHaveLength(20);
  });

  it('tells nobody else what needs attention', async () => {
    const visitor = await signedIn(api.app, world.user);
    expect((await visitor.get('/bootstrap')).body).toMatchObject({ user: { attention: null } });
  });

  it('tells what is there and what is not, as things are', async () => {
    const { isReady, states } = await readiness();
    expect([...states.keys()]).toEqual(readinessIds);
    expect(isReady).toBe(false);
    expect(Object.fromEntries(states)).toMatchObject({
      admin_account: 'done',
      upstream_connected: 'done',
      model_available: 'done',
      wallet_funded: 'done',
      key_created: 'done',
      first_picture: 'done',
      https: 'open',
      base_url: 'open',
      proxy_streams: 'not_needed',
      // The keyed upstream of the test before is a real one beside it.
      sandbox_off: 'open',
    });
    const path = '/admin/upstreams/sandbox/enabled';
    await sent(world, 'PUT', { path, body: { enabled: false } });
    const later = await readiness();
    expect(later.states.get('sandbox_off')).toBe('done');
    expect(later.states.get('model_available')).toBe('open');
    await sent(world, 'PUT', { path, body: { enabled: true } });
  });
});

describe('a service where nothing is there yet', () => {
  forEachEngine((engine) => {
    it('has every condition open that applies', async () => {
      const reach = { isSecure: false, hasBaseUrl: false, hasProxy: true };
      const { sandboxOff, proxyStreams, ...others } = await readReadiness(
        await engine.open(),
        reach,
      );
      expect(new Set(Object.values(others))).toEqual(new Set(['open']));
      expect({ sandboxOff, proxyStreams }).toEqual({
        sandboxOff: 'not_needed',
        proxyStreams: 'unknown',
      });
    });
  });
});
