/** A call of every route by which administrators change models and upstreams. */
import { type AdminWorld, addKeyedUpstream, sent, type WriteExample } from './admin-world.ts';

let upstreams = 0;
let models = 0;
const newModel = () => `test-model-${++models}`;

async function addedModel(world: AdminWorld, price: string | null = null): Promise<string> {
  const id = newModel();
  await sent(world, 'POST', { path: '/admin/models', body: { id } });
  const body = { price };
  if (price !== null) await sent(world, 'PUT', { path: `/admin/models/${id}/price`, body });
  return id;
}

/** By method and path as in the list of routes. */
export const catalogExamples: Readonly<Record<string, WriteExample>> = {
  'POST /admin/models': {
    right: () => ({ path: '/admin/models', body: { id: newModel(), description: 'new' } }),
    wrong: async () => ({ path: '/admin/models', body: { id: 'no blanks' }, param: 'id' }),
    missing: null,
  },
  'PATCH /admin/models/:model': {
    right: async (world) => ({
      path: `/admin/models/${await addedModel(world)}`,
      body: { description: 'other', extended_qualities: true, position: 0 },
    }),
    wrong: async (world) => ({
      path: `/admin/models/${await addedModel(world)}`,
      body: { position: -1 },
      param: 'position',
    }),
    missing: () => ({ path: '/admin/models/nothing', body: { description: 'x' } }),
  },
  'PUT /admin/models/:model/enabled': {
    right: async (world) => ({
      path: `/admin/models/${await addedModel(world, '0.10')}/enabled`,
      body: { enabled: true, reason: 'it is good' },
    }),
    wrong: async (world) => ({
      path: `/admin/models/${await addedModel(world)}/enabled`,
      body: { enabled: true },
      param: 'model',
    }),
    missing: () => ({ path: '/admin/models/nothing/enabled', body: { enabled: true } }),
  },
  'PUT /admin/models/:model/price': {
    right: async (world) => ({
      path: `/admin/models/${await addedModel(world)}/price`,
      body: { price: '0.05', confirmed_from: null },
    }),
    wrong: async (world) => ({
      path: `/admin/models/${await addedModel(world)}/price`,
      body: { price: '0.0500001' },
      param: 'price',
    }),
    missing: () => ({ path: '/admin/models/nothing/price', body: { price: '1' } }),
  },
  'POST /admin/models-action': {
    right: async (world) => {
      const ids = [await addedModel(world, '0.10'), await addedModel(world, '0.10')];
      return { path: '/admin/models-action', body: { models: ids, action: { kind: 'enable' } } };
    },
    changes: 2,
    wrong: async (world) => {
      const ids = [await addedModel(world, '0.10'), await addedModel(world)];
      const body = { models: ids, action: { kind: 'enable' } };
      return { path: '/admin/models-action', body, param: 'model' };
    },
    missing: () => ({
      path: '/admin/models-action',
      body: { models: ['nothing'], action: { kind: 'disable' } },
    }),
  },
  'POST /admin/upstreams': {
    right: () => ({
      path: '/admin/upstreams',
      body: { name: `fresh${++upstreams}`, kind: 'sandbox', limits: { concurrency_max: 3 } },
    }),
    wrong: async () => ({
      path: '/admin/upstreams',
      body: { name: 'fresh', kind: 'carrier-pigeon' },
      param: 'kind',
    }),
    missing: null,
  },
  'PATCH /admin/upstreams/:upstream': {
    right: async (world) => ({
      path: `/admin/upstreams/${await addKeyedUpstream(world)}`,
      body: { weight: 3, limits: { idle_ms: 5_000 } },
    }),
    wrong: async (world) => ({
      path: `/admin/upstreams/${await addKeyedUpstream(world)}`,
      body: { weight: 0 },
      param: 'weight',
    }),
    missing: () => ({ path: '/admin/upstreams/nothing', body: { weight: 3 } }),
  },
  'PUT /admin/upstreams/:upstream/enabled': {
    right: async (world) => ({
      path: `/admin/upstreams/${await addKeyedUpstream(world)}/enabled`,
      body: { enabled: false },
    }),
    wrong: async (world) => ({
      path: `/admin/upstreams/${await addKeyedUpstream(world)}/enabled`,
      body: { enabled: 'no' },
      param: 'enabled',
    }),
    missing: () => ({ path: '/admin/upstreams/nothing/enabled', body: { enabled: false } }),
  },
  'DELETE /admin/upstreams/:upstream': {
    right: async (world) => {
      const name = await addKeyedUpstream(world);
      const path = `/admin/upstreams/${name}`;
      await sent(world, 'PUT', { path: `${path}/enabled`, body: { enabled: false } });
      return { path: `${path}?reason=gone` };
    },
    wrong: async (world) => ({
      path: `/admin/upstreams/${await addKeyedUpstream(world)}`,
      param: 'upstream',
    }),
    missing: () => ({ path: '/admin/upstreams/nothing' }),
  },
  'POST /admin/upstreams/:upstream/model-list': {
    right: async (world) => {
      const body = { name: `fresh${++upstreams}`, kind: 'sandbox' };
      await sent(world, 'POST', { path: '/admin/upstreams', body });
      return { path: `/admin/upstreams/${body.name}/model-list`, body: {} };
    },
    wrong: async () => ({
      path: '/admin/upstreams/sandbox/model-list',
      body: { reason: 'x'.repeat(501) },
      param: 'reason',
    }),
    missing: () => ({ path: '/admin/upstreams/nothing/model-list', body: {} }),
  },
  'PUT /admin/upstreams/:upstream/mapping': {
    right: async (world) => ({
      path: '/admin/upstreams/sandbox/mapping',
      body: {
        model: await addedModel(world),
        upstream_model: 'sandbox-quick',
        strict_mask: true,
        extra: { mood: 'calm' },
      },
    }),
    wrong: async (world) => ({
      path: '/admin/upstreams/sandbox/mapping',
      body: { model: await addedModel(world), upstream_model: 'sandbox-slow' },
      param: 'upstream_model',
    }),
    missing: () => ({
      path: '/admin/upstreams/sandbox/mapping',
      body: { model: 'nothing', upstream_model: 'sandbox-quick' },
    }),
  },
  'DELETE /admin/upstreams/:upstream/mapping': {
    right: async (world) => {
      const path = '/admin/upstreams/sandbox/mapping';
      const body = { model: await addedModel(world), upstream_model: 'sandbox-quick' };
      await sent(world, 'PUT', { path, body });
      return { path: `${path}?model=${body.model}&upstream_model=${body.upstream_model}` };
    },
    wrong: async (world) => ({
      path: `/admin/upstreams/sandbox/mapping?model=${await addedModel(world)}&upstream_model=sandbox-quick`,
      param: 'upstream_model',
    }),
    missing: () => ({
      path: '/admin/upstreams/sandbox/mapping?model=nothing&upstream_model=sandbox-quick',
    }),
  },
  'POST /admin/upstreams/:upstream/probe': {
    right: () => ({
      path: '/admin/upstreams/sandbox/probe',
      body: { upstream_model: 'sandbox-quick', agreed: true },
    }),
    wrong: async () => ({
      path: '/admin/upstreams/sandbox/probe',
      body: { upstream_model: 'sandbox-quick', agreed: false },
      param: 'agreed',
    }),
    missing: () => ({
      path: '/admin/upstreams/nothing/probe',
      body: { upstream_model: 'sandbox-quick', agreed: true },
    }),
  },
  'POST /admin/upstreams/:upstream/keys': {
    right: async (world) => ({
      path: `/admin/upstreams/${await addKeyedUpstream(world)}/keys`,
      body: { name: 'spare', credential: 'another-credential' },
    }),
    wrong: async (world) => ({
      path: `/admin/upstreams/${await addKeyedUpstream(world)}/keys`,
      body: { name: 'main', credential: 'another-credential' },
      param: 'name',
    }),
    missing: () => ({
      path: '/admin/upstreams/nothing/keys',
      body: { name: 'spare', credential: 'another-credential' },
    }),
  },
  'PUT /admin/upstreams/:upstream/keys/:key/credential': {
    right: async (world) => ({
      path: `/admin/upstreams/${await addKeyedUpstream(world)}/keys/main/credential`,
      body: { credential: 'another-credential' },
    }),
    wrong: async (world) => ({
      path: `/admin/upstreams/${await addKeyedUpstream(world)}/keys/main/credential`,
      body: { credential: ' ' },
      param: 'credential',
    }),
    missing: () => ({
      path: '/admin/upstreams/nothing/keys/main/credential',
      body: { credential: 'another-credential' },
    }),
  },
  'PUT /admin/upstreams/:upstream/keys/:key/enabled': {
    right: async (world) => ({
      path: `/admin/upstreams/${await addKeyedUpstream(world)}/keys/main/enabled`,
      body: { enabled: false },
    }),
    wrong: async (world) => ({
      path: `/admin/upstreams/${await addKeyedUpstream(world)}/keys/main/enabled`,
      body: {},
      param: 'enabled',
    }),
    missing: () => ({
      path: '/admin/upstreams/nothing/keys/main/enabled',
      body: { enabled: false },
    }),
  },
  'DELETE /admin/upstreams/:upstream/keys/:key': {
    right: async (world) => {
      const path = `/admin/upstreams/${await addKeyedUpstream(world)}/keys`;
      await sent(world, 'POST', { path, body: { name: 'spare', credential: 'another' } });
      return { path: `${path}/spare` };
    },
    wrong: async (world) => ({
      path: `/admin/upstreams/${await addKeyedUpstream(world)}/keys/main?reason=${'x'.repeat(501)}`,
      param: 'reason',
    }),
    missing: () => ({ path: '/admin/upstreams/nothing/keys/main' }),
  },
};
