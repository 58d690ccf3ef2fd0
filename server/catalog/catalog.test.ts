import { describe, expect, it } from 'vitest';
import { amountFromMicros } from '../../shared/money.ts';
import { storedUpstream } from '../../test/support/upstreams/stored-upstream.ts';
import { OperatorError } from '../lib/operator-error.ts';
import { buildCatalog, type CatalogRecords, servedModels } from './catalog.ts';
import type { Model } from './model.ts';
import {
  selectionOptionsDefault,
  type Upstream,
  type UpstreamKey,
  type UpstreamModel,
  upstreamLimitsDefault,
} from './upstream.ts';

describe('a model is available', () => {
  it('with an enabled price and a selected model on an enabled upstream', () => {
    expect(build(records()).isAvailable('m')).toBe(true);
  });

  it.each<[string, Partial<CatalogRecords>]>([
    ['without a price', { models: [model({ price: null })] }],
    ['disabled', { models: [model({ enabled: false })] }],
    ['without a selection', { selections: [] }],
    ['with its upstream disabled', { upstreams: [upstream({ enabled: false })] }],
    ['with its upstream model gone', { upstreamModels: [listed({ goneAt: 5 })] }],
    ['with its upstream model never listed', { upstreamModels: [] }],
  ])('but not %s', (_what, changed) => {
    const catalog = build({ ...records(), ...changed });
    expect(catalog.isAvailable('m')).toBe(false);
  });

  it('but not when nobody knows it', () => {
    const catalog = build(records());
    expect(catalog.isAvailable('x')).toBe(false);
    expect(catalog.model('x')).toBeNull();
    expect(catalog.routesOf('x')).toEqual([]);
  });
});

describe('the routes of a model', () => {
  it('follow the order of the upstreams', () => {
    const ids = ['first', 'second', 'third'];
    const catalog = build({
      models: [model()],
      upstreams: ids.map((id) => upstream({ id, name: id })),
      upstreamKeys: [],
      upstreamModels: ids.map((id) => listed({ upstreamId: id })),
      selections: ids.toReversed().map((id) => selected({ upstreamId: id })),
    });
    expect(catalog.routesOf('m').map((route) => route.upstream.name)).toEqual(ids);
  });

  it('may lead to two models of one upstream', () => {
    const catalog = build({
      ...records(),
      upstreamModels: [listed({ upstreamModel: 'a' }), listed({ upstreamModel: 'b' })],
      selections: [selected({ upstreamModel: 'a' }), selected({ upstreamModel: 'b' })],
    });
    expect(catalog.routesOf('m').map((route) => route.upstreamModel)).toEqual(['a', 'b']);
  });
});

describe('an upstream in the catalog', () => {
  it('has its credential opened for its own row', () => {
    const catalog = build({ ...records(), upstreamKeys: [key()] });
    expect(catalog.upstreams[0]?.keys).toEqual([
      {
        id: 'k',
        name: 'main',
        credential: 'sealed opened for u',
        sealedCredential: 'sealed',
        enabledTimes: 0,
      },
    ]);
  });

  it('has its proxy opened for its own row, or none', () => {
    const proxyOf = (sealedProxy: string | null) =>
      build({ ...records(), upstreams: [upstream({ sealedProxy })] }).upstreams[0]?.proxy;
    expect([proxyOf('sealed'), proxyOf(null)]).toEqual(['sealed opened for u', null]);
  });

  it('tells how often its keys were enabled', () => {
    const upstreamKeys = [key({ enabledTimes: 3 })];
    expect(build({ ...records(), upstreamKeys }).upstreams[0]?.keys[0]?.enabledTimes).toBe(3);
  });

  it('does without a key that is disabled', () => {
    const disabled = key({ id: 'l', name: 'spare', enabled: false });
    const catalog = build({ ...records(), upstreamKeys: [key(), disabled] });
    expect(catalog.upstreams[0]?.keys.map(({ name }) => name)).toEqual(['main']);
  });

  it('is left out, with the reason, when none of its keys is enabled', () => {
    const catalog = build({ ...records(), upstreamKeys: [key({ enabled: false })] });
    expect(catalog.upstreams).toEqual([]);
    expect(catalog.unusable).toEqual([
      { name: 'studio', key: null, reason: 'none of its keys is enabled' },
    ]);
    expect(catalog.isAvailable('m')).toBe(false);
  });

  it('serves with the keys that open, and says which does not', () => {
    const given = {
      ...records(),
      upstreamKeys: [key(), key({ id: 'l', name: 'spare', sealedCredential: 'other' })],
    };
    const catalog = buildCatalog(given, (sealed) => {
      if (sealed === 'other') throw new OperatorError('another key');
      return sealed;
    });
    expect(catalog.upstreams[0]?.keys.map(({ name }) => name)).toEqual(['main']);
    expect(catalog.unusable).toEqual([
      { name: 'studio', key: 'spare', reason: 'the key spare does not open: another key' },
    ]);
  });

  it('is left out, with the reason, when its proxy does not open', () => {
    const sealed = { ...records(), upstreams: [upstream({ sealedProxy: 'sealed' })] };
    const catalog = buildCatalog(sealed, () => {
      throw new OperatorError('another key');
    });
    expect(catalog.upstreams).toEqual([]);
    expect(catalog.unusable).toEqual([
      { name: 'studio', key: null, reason: 'the proxy does not open: another key' },
    ]);
  });

  it('is left out, with the reason, when its credential does not open', () => {
    const catalog = buildCatalog({ ...records(), upstreamKeys: [key()] }, () => {
      throw new OperatorError('another key');
    });
    expect(catalog.upstreams).toEqual([]);
    expect(catalog.unusable).toEqual([
      { name: 'studio', key: null, reason: 'the key main does not open: another key' },
    ]);
    expect(catalog.isAvailable('m')).toBe(false);
  });

  it.each<[string, Partial<Upstream>]>([
    ['name', { name: 'other' }],
    ['base URL', { baseUrl: 'https://other' }],
    ['proxy', { sealedProxy: 'other' }],
    ['limits', { limits: { ...upstreamLimitsDefault, idleMs: 5_000 } }],
    ['settings', { settings: { delay_ms: 1 } }],
    ['count of beginnings', { begunTimes: 1 }],
  ])('has another revision with another %s', (_what, changed) => {
    expect(revisionOf(changed)).not.toBe(revisionOf({}));
  });

  it.each<[string, Partial<Upstream>]>([
    ['priority', { priority: 9 }],
    ['weight', { weight: 9 }],
  ])('keeps its revision with another %s: its adapter need not be built anew', (_what, changed) => {
    expect(revisionOf(changed)).toBe(revisionOf({}));
  });
});

describe('a model is served, whatever its price', () => {
  it.each<[string, Partial<CatalogRecords>]>([
    ['by an upstream that was given no key', {}],
    ['by one with an enabled key', { upstreamKeys: [key({ enabled: false }), key({ id: 'l' })] }],
    ['next to another whose keys are disabled', { upstreamKeys: [foreignKey()] }],
  ])('%s', (_what, changed) => {
    expect([...servedModels({ ...records(), ...changed })]).toEqual(['m']);
  });

  it.each<[string, Partial<CatalogRecords>]>([
    ['disabled upstream', { upstreams: [upstream({ enabled: false })] }],
    ['upstream whose keys are all disabled', { upstreamKeys: [key({ enabled: false })] }],
  ])('but not by a %s', (_what, changed) => {
    expect([...servedModels({ ...records(), ...changed })]).toEqual([]);
  });
});

function foreignKey() {
  return key({ id: 'l', upstreamId: 'v', enabled: false });
}

function build(from: CatalogRecords) {
  return buildCatalog(from, (sealed, rowId) => `${sealed} opened for ${rowId}`);
}

function revisionOf(changed: Partial<Upstream>): string | undefined {
  return build({ ...records(), upstreams: [upstream(changed)] }).upstreams[0]?.revision;
}

function records(): CatalogRecords {
  return {
    models: [model()],
    upstreams: [upstream()],
    upstreamKeys: [],
    upstreamModels: [listed()],
    selections: [selected()],
  };
}

function model(changed: Partial<Model> = {}): Model {
  return {
    id: 'm',
    description: '',
    extendedQualities: false,
    price: amountFromMicros(40_000),
    enabled: true,
    position: 0,
    createdAt: 1,
    ...changed,
  };
}

function upstream(changed: Partial<Upstream> = {}): Upstream {
  return storedUpstream({ id: 'u', ...changed });
}

function key(changed: Partial<UpstreamKey> = {}): UpstreamKey {
  return {
    id: 'k',
    upstreamId: 'u',
    name: 'main',
    sealedCredential: 'sealed',
    enabled: true,
    disabledReason: null,
    lastFour: null,
    createdAt: 1,
    enabledTimes: 0,
    ...changed,
  };
}

function listed(changed: Partial<UpstreamModel> = {}): UpstreamModel {
  return {
    upstreamId: 'u',
    upstreamModel: 'a',
    description: null,
    listedAt: 1,
    goneAt: null,
    ...changed,
  };
}

function selected(changed: { upstreamId?: string; upstreamModel?: string } = {}) {
  const options = selectionOptionsDefault;
  return { modelId: 'm', upstreamId: 'u', upstreamModel: 'a', options, ...changed };
}
