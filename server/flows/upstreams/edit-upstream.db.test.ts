import { describe, expect, it } from 'vitest';
import type { TestAdmin } from '../../../test/support/console/test-admin.ts';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import type { ListingUpstream } from '../../../test/support/upstreams/listing-upstream.ts';
import {
  addStudio,
  addStudioKey,
  storedCredential,
} from '../../../test/support/upstreams/studio.ts';
import { listAuditEntries } from '../../audit/audit-store.ts';
import { listUpstreamModels } from '../../catalog/selection-store.ts';
import { presentUpstreamLimits, upstreamLimitsDefault } from '../../catalog/upstream.ts';
import { findUpstream, requireUpstream } from '../../catalog/upstream-store.ts';
import { SecretBox } from '../../lib/secret-box.ts';
import type { ListedModel } from '../../upstreams/upstream.ts';
import { openProxy } from './ask-upstream.ts';
import { withKey } from './asked-key.ts';
import { removeUpstreamKey } from './change-upstream-keys.ts';
import { editUpstream, type UpstreamPatch } from './edit-upstream.ts';
import { syncUpstreamModels } from './sync-upstream-models.ts';

forEachEngine((engine) => {
  describe('editing an upstream', () => {
    it('keeps what is not named, the credential too', async () => {
      const { admin, service } = await open();
      const before = await findUpstream(admin.database, 'studio');
      const after = await edit(admin, service, { priority: 5, settings: { delay: 1 } });
      expect(after.result).toEqual({ ...before, priority: 5, settings: { delay: 1 } });
      expect(await credentialOf(admin, service)).toBe('hunter2-of-main');
      expect(service.configs.at(-1)).toMatchObject({ settings: { delay: 1 } });
      expect((await entriesOf(admin))[0]).toMatchObject({
        action: 'upstream.edit',
        detail: { priority: { from: 0, to: 5 }, settings: ['delay'] },
      });
    });

    it('lets it begin anew by what is given as another, and by nothing that is as it was', async () => {
      const { admin, service } = await open();
      const { baseUrl, settings, limits, begunTimes } = await stored(admin);
      const same = { name: 'studio', baseUrl, settings, limits };
      await edit(admin, service, { ...same, weight: 7, credential: 'new-hunter3' });
      expect(await stored(admin)).toMatchObject({ weight: 7, begunTimes });
      await edit(admin, service, { ...same, limits: { queueMax: 7 } });
      expect(await stored(admin)).toMatchObject({ begunTimes: begunTimes + 1 });
    });

    it('changes the limits that are named', async () => {
      const { admin, service } = await open();
      await edit(admin, service, { limits: { queueMax: 7 } });
      const { result } = await edit(admin, service, { limits: { idleMs: 5_000 } });
      const limits = { ...upstreamLimitsDefault, queueMax: 7, idleMs: 5_000 };
      expect(result.limits).toEqual(limits);
      const audited = { ...presentUpstreamLimits(limits), queue_max: 7, idle_ms: 5_000 };
      expect((await entriesOf(admin))[0]?.detail).toEqual({ name: 'studio', limits: audited });
    });

    it('changes the settings that are named, beside those that others change meanwhile', async () => {
      const { admin, service } = await open();
      await edit(admin, service, { settings: { delay: 1, style: { a: 1, b: 2 } } });
      await Promise.all([
        edit(admin, service, { settingsChanges: [{ path: ['delay'], value: 5 }] }),
        edit(admin, service, { settingsChanges: [{ path: ['style', 'a'], value: null }] }),
        edit(admin, service, { settingsChanges: [{ path: ['style', 'b'] }] }),
      ]);
      expect((await stored(admin)).settings).toEqual({ delay: 5, style: { a: null } });
    });

    it('does not know what is meant by all settings and by some', async () => {
      const { admin, service } = await open();
      await expect(edit(admin, service, { settings: {}, settingsChanges: [] })).rejects.toThrow(
        'not both',
      );
    });

    it('sets, replaces and removes the proxy, without a word of it in the audit', async () => {
      const { admin, service } = await open();
      for (const proxy of ['http://10.0.0.1:3128', 'https://me:pr0xy-pw@10.0.0.2', null]) {
        const { result } = await edit(admin, service, { proxy });
        expect(openProxy(result, service.access.secretBox)).toBe(proxy);
      }
      const details = (await entriesOf(admin)).slice(0, 3).map(({ detail }) => detail);
      expect(details).toEqual(
        ['removed', 'replaced', 'replaced'].map((proxy) => ({ name: 'studio', proxy })),
      );
    });

    it('replaces the credential without a word of it in the audit', async () => {
      const { admin, service } = await open();
      await edit(admin, service, { credential: 'new-hunter3' });
      expect(await credentialOf(admin, service)).toBe('new-hunter3');
      const [entry] = await entriesOf(admin);
      expect(entry?.detail).toEqual({ name: 'studio', credential: 'replaced' });
    });

    it('replaces the credential of the key main where there are several', async () => {
      const { admin, service } = await open();
      await addStudioKey(admin, service, 'spare');
      await edit(admin, service, { credential: 'new-hunter3' });
      expect(await credentialOf(admin, service, 'main')).toBe('new-hunter3');
      expect(await credentialOf(admin, service, 'spare')).toBe('hunter2-of-spare');
    });

    it('asks which key is meant where none is called main', async () => {
      const { admin, service } = await open();
      await addStudioKey(admin, service, 'a');
      await addStudioKey(admin, service, 'b');
      await removeUpstreamKey(admin, service.access, { upstream: 'studio', name: 'main' });
      await expect(edit(admin, service, { credential: 'x' })).rejects.toThrow(
        'studio has 2 keys and none is called main',
      );
    });

    it('gives an upstream without keys its first', async () => {
      const { admin, service } = await open({ need: 'optional', keys: [] });
      await edit(admin, service, { credential: 'the first' });
      expect(await credentialOf(admin, service, 'main')).toBe('the first');
      expect((await entriesOf(admin))[0]?.detail).toEqual({ name: 'studio', credential: 'set' });
    });

    it('refuses a credential that its kind has no use for', async () => {
      const { admin, service } = await open({ need: 'unused', keys: [] });
      await expect(edit(admin, service, { credential: 'x' })).rejects.toThrow(
        'takes no credential',
      );
    });

    it('never sends a stored credential to another host', async () => {
      const { admin, service } = await open();
      await expect(edit(admin, service, { baseUrl: 'https://evil.example' })).rejects.toThrow(
        'give its credential again with the same change, or first remove the key.',
      );
      const moved = { baseUrl: 'https://images.example/v2' };
      expect((await edit(admin, service, moved)).result).toMatchObject(moved);
      const both = { baseUrl: 'https://other.example', credential: 'theirs' };
      expect((await edit(admin, service, both)).result).toMatchObject({
        baseUrl: 'https://other.example',
      });
      expect(await credentialOf(admin, service)).toBe('theirs');
    });

    it('never sends the credential of another host to the one that was read before', async () => {
      const { admin, service } = await open();
      const before = await requireUpstream(admin.database, 'studio');
      await edit(admin, service, { baseUrl: 'https://other.example', credential: 'theirs' });
      const { upstream } = await withKey(admin.database, before);
      expect(upstream.baseUrl).toBe('https://other.example');
    });

    it.each<[string, UpstreamPatch]>([
      ['another host', { baseUrl: 'https://other.example', credential: 'theirs' }],
      ['other settings', { settings: { region: 'elsewhere' } }],
    ])('keeps no model list that was asked for before it got %s', async (_what, patch) => {
      const { admin, service } = await open();
      const list = Promise.withResolvers<readonly ListedModel[]>();
      const asked = new Promise<void>((tell) => {
        service.answersWith(() => {
          tell();
          return list.promise;
        });
      });
      const syncing = syncUpstreamModels(admin, service.access, 'studio');
      await asked;
      await edit(admin, service, patch);
      list.resolve([{ upstreamModel: 'of-the-old-one', description: null }]);
      await expect(syncing).rejects.toThrow(
        'studio was changed while it was asked for its model list: fetch it again.',
      );
      const models = await listUpstreamModels(admin.database, { upstreamId: null });
      expect(models).toMatchObject([{ upstreamModel: 'paint-1', goneAt: null }]);
    });

    it('keeps a model list that came while it was only called otherwise', async () => {
      const { admin, service } = await open();
      service.answersWith(async () => {
        await edit(admin, service, { name: 'atelier', weight: 7, limits: { queueMax: 7 } });
        return [{ upstreamModel: 'paint-2', description: null }];
      });
      const { result } = await syncUpstreamModels(admin, service.access, 'studio');
      expect(result).toMatchObject({ added: ['paint-2'], gone: ['paint-1'] });
    });

    it('never sends one of several stored credentials to another host', async () => {
      const { admin, service } = await open();
      await addStudioKey(admin, service, 'spare');
      const both = { baseUrl: 'https://other.example', credential: 'theirs' };
      await expect(edit(admin, service, both)).rejects.toThrow(
        'studio (spare) to a host that they were not meant for: first remove this key.',
      );
      await expect(edit(admin, service, { baseUrl: 'https://other.example' })).rejects.toThrow(
        'first remove all its keys, or all but one and then give its credential again with the same change.',
      );
      expect(await findUpstream(admin.database, 'studio')).toMatchObject({
        baseUrl: 'https://images.example/v1',
      });
    });

    it('never sends a stored credential to an address among the settings', async () => {
      const { admin, service } = await open();
      const settings = { tokenUrl: 'https://tokens.example/a' };
      await expect(edit(admin, service, { settings })).rejects.toThrow('not meant for');
      await edit(admin, service, { settings, credential: 'theirs' });
      const settingsChanges = [{ path: ['tokenUrl'], value: 'https://evil.example' }];
      await expect(edit(admin, service, { settingsChanges })).rejects.toThrow('not meant for');
      const sameHost = { tokenUrl: 'https://tokens.example/b' };
      expect((await edit(admin, service, { settings: sameHost })).result.settings).toEqual(
        sameHost,
      );
      expect((await edit(admin, service, { settings: {} })).result.settings).toEqual({});
    });

    it('knows an address among the settings behind a blank, where it is read without', async () => {
      const { admin, service } = await open();
      const settings = { tokenUrl: ' https://evil.example' };
      await expect(edit(admin, service, { settings })).rejects.toThrow('not meant for');
    });

    it('never shows a stored credential to a proxy that could read it', async () => {
      const { admin, service } = await open();
      await edit(admin, service, { baseUrl: 'http://10.0.0.7:8188', credential: 'ours' });
      const proxy = 'http://10.0.0.1:3128';
      await expect(edit(admin, service, { proxy })).rejects.toThrow(
        'is http, without encryption, so the proxy could read credentials of studio (main): use a base URL with https, or give its credential again with the same change, or first remove the key.',
      );
      const baseUrl = 'HTTP://10.0.0.7:8188';
      await expect(edit(admin, service, { baseUrl, proxy })).rejects.toThrow('is http');
      await edit(admin, service, { proxy, credential: 'theirs' });
      expect((await edit(admin, service, { proxy: null })).result.sealedProxy).toBeNull();
    });

    it.each<[string, UpstreamPatch]>([
      ['credential', { credential: 'x' }],
      ['proxy', { proxy: 'http://10.0.0.1:3128' }],
    ])('refuses to seal a %s with a second key', async (_what, patch) => {
      const { admin, service } = await open();
      const access = { ...service.access, secretBox: new SecretBox(Buffer.alloc(32, 8)) };
      await expect(editUpstream(admin, access, { upstream: 'studio', patch })).rejects.toThrow(
        'the key studio/main was sealed with another secret key',
      );
    });

    it('writes nothing when everything is as wanted', async () => {
      const { admin, service } = await open();
      const before = (await entriesOf(admin)).length;
      await edit(admin, service, { priority: 0, limits: {}, proxy: null });
      expect(await entriesOf(admin)).toHaveLength(before);
    });

    it('writes nothing when its adapter refuses the new settings', async () => {
      const { admin, service } = await open();
      await expect(edit(admin, service, { settings: { wrong: 1 } })).rejects.toThrow(
        'no setting wrong',
      );
      expect(await findUpstream(admin.database, 'studio')).toMatchObject({ settings: {} });
    });
  });

  async function open(options: Parameters<typeof addStudio>[1] = {}) {
    return addStudio(await engine.open(), options);
  }
});

function edit(admin: TestAdmin, { access }: ListingUpstream, patch: UpstreamPatch) {
  return editUpstream(admin, access, { upstream: 'studio', patch });
}

function stored({ database }: TestAdmin) {
  return requireUpstream(database, 'studio');
}

function credentialOf(admin: TestAdmin, { access }: ListingUpstream, name = 'main') {
  return storedCredential(admin, access.secretBox, name);
}

async function entriesOf({ database }: TestAdmin) {
  return (await listAuditEntries(database, {}, { after: null, limit: 20 })).items;
}
