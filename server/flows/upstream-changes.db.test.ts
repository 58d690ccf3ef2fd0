import { describe, expect, it } from 'vitest';
import { forEachEngine } from '../../test/support/databases.ts';
import {
  type ListingUpstream,
  listingKind,
  listingUpstream,
} from '../../test/support/listing-upstream.ts';
import { type TestAdmin, testAdmin } from '../../test/support/test-admin.ts';
import { listAuditEntries } from '../audit/audit-store.ts';
import { listSelections, listUpstreamModels } from '../catalog/selection-store.ts';
import { settingsCharactersMax, upstreamLimitsDefault } from '../catalog/upstream.ts';
import { listUpstreamKeys } from '../catalog/upstream-key-store.ts';
import { findUpstream, listUpstreams } from '../catalog/upstream-store.ts';
import { must } from '../lib/assert.ts';
import { SecretBox } from '../lib/secret-box.ts';
import { UpstreamError } from '../upstreams/upstream.ts';
import { addUpstream, type NewUpstream } from './add-upstream.ts';
import { openProxy } from './ask-upstream.ts';
import {
  addUpstreamKey,
  removeUpstreamKey,
  setEnabledOfUpstreamKey,
} from './change-upstream-keys.ts';
import { editUpstream, type UpstreamPatch } from './edit-upstream.ts';
import { setEnabledOfUpstream } from './enable-upstream.ts';
import { mapUpstreamModel } from './map-upstream-model.ts';
import { removeUpstream } from './remove-upstream.ts';
import { retireKey } from './retire-key.ts';
import { selectUpstreamModel, unselectUpstreamModel } from './select-upstream-model.ts';
import { syncUpstreamModels } from './sync-upstream-models.ts';

const modelId = 'gen-image-2';
const credential = 'hunter2-of-the-upstream';
const selection = { modelId, upstream: 'studio', upstreamModel: 'paint-1' };

forEachEngine((engine) => {
  describe('adding an upstream', () => {
    it('stores its credential sealed and writes no secret into the audit', async () => {
      const { admin, service } = await open();
      const upstream = await addUpstream(
        admin,
        service.access,
        studio({ settings: { key: 's3cret' } }),
      );
      expect(upstream).toMatchObject({ name: 'studio', enabled: true, priority: 0, weight: 1 });
      const stored = await findUpstream(admin.database, 'studio');
      expect(stored).toEqual(upstream);
      const [key, ...others] = await listUpstreamKeys(admin.database, { upstreamId: upstream.id });
      expect(key).toMatchObject({ name: 'main', enabled: true });
      expect(others).toEqual([]);
      expect(key?.sealedCredential).not.toContain(credential);
      expect(await credentialOf(admin, service)).toBe(credential);
      const audit = JSON.stringify(await entriesOf(admin));
      expect(audit).toContain('upstream.add');
      expect(audit).not.toContain('hunter2');
      expect(audit).not.toContain('s3cret');
    });

    it('stores its proxy sealed, and its limits', async () => {
      const { admin, service } = await open();
      const proxy = 'http://me:pr0xy-pw@10.0.0.1:3128';
      const limits = { concurrencyMax: 2 };
      const upstream = await addUpstream(admin, service.access, studio({ proxy, limits }));
      expect(upstream.limits).toEqual({ ...upstreamLimitsDefault, concurrencyMax: 2 });
      expect(openProxy(upstream, service.access.secretBox)).toBe(proxy);
      const rows = JSON.stringify(await listUpstreams(admin.database));
      const [entry] = await entriesOf(admin);
      expect(entry?.detail).toMatchObject({ proxy: 'set', limits });
      expect(rows + JSON.stringify(entry)).not.toContain('pr0xy-pw');
    });

    it('refuses a credential that its kind has no use for', async () => {
      const { admin } = await open();
      const { access } = listingUpstream({ credential: 'unused' });
      await expect(addUpstream(admin, access, studio())).rejects.toThrow('takes no credential');
      expect(await addUpstream(admin, access, studio({ credential: null }))).toMatchObject({
        enabled: true,
      });
    });

    it.each<[string, Partial<NewUpstream>, string]>([
      [
        'of an unknown kind',
        { kind: 'telepathy' },
        'There is no adapter kind telepathy; known: listing.',
      ],
      ['without the base URL its kind needs', { baseUrl: null }, 'needs a base URL'],
      ['without the credential its kind needs', { credential: null }, 'needs a credential'],
      [
        'with settings its adapter refuses',
        { settings: { wrong: 1 } },
        'There is no setting wrong.',
      ],
      [
        'with a password in its address',
        { baseUrl: 'https://me:pw@host' },
        'must not contain a user',
      ],
      ['with a weight of nothing', { weight: 0 }, 'A weight is'],
      ['with an empty credential', { credential: ' ' }, 'The credential is empty.'],
      ['with a proxy that is none', { proxy: 'proxy:3128' }, 'A proxy is http:// or https://'],
      [
        'with a limit beyond all limits',
        { limits: { queueMax: 10_001 } },
        'queueMax is a whole number from 0 to 10000.',
      ],
      [
        'with settings without end',
        { settings: { text: 'x'.repeat(settingsCharactersMax) } },
        'The settings of an upstream have at most',
      ],
    ])('refuses one %s', async (_what, changes, message) => {
      const { admin, service } = await open();
      await expect(addUpstream(admin, service.access, studio(changes))).rejects.toThrow(message);
      expect(await listUpstreams(admin.database)).toEqual([]);
      expect(await entriesOf(admin)).toEqual([]);
    });

    it('refuses a name that is taken', async () => {
      const { admin, service } = await withStudio();
      await expect(addUpstream(admin, service.access, studio())).rejects.toThrow(
        'There is already an upstream called studio.',
      );
    });

    it('refuses to seal with a second key', async () => {
      const { admin, service } = await withStudio();
      const access = { ...service.access, secretBox: new SecretBox(Buffer.alloc(32, 8)) };
      await expect(addUpstream(admin, access, studio({ name: 'other' }))).rejects.toThrow(
        'was sealed with another master key',
      );
    });

    it('leaves no adapter open', async () => {
      const { service } = await withStudio();
      expect(service.configs).toHaveLength(1);
      expect(service.open).toBe(0);
    });
  });

  describe('editing an upstream', () => {
    it('keeps what is not named, the credential too', async () => {
      const { admin, service } = await withStudio();
      const before = await findUpstream(admin.database, 'studio');
      const after = await edit(admin, service, { priority: 5, settings: { delay: 1 } });
      expect(after.result).toEqual({ ...before, priority: 5, settings: { delay: 1 } });
      expect(await credentialOf(admin, service)).toBe(credential);
      expect(service.configs.at(-1)).toMatchObject({ settings: { delay: 1 } });
      expect((await entriesOf(admin))[0]).toMatchObject({
        action: 'upstream.edit',
        detail: { priority: { from: 0, to: 5 }, settings: ['delay'] },
      });
    });

    it('changes the limits that are named', async () => {
      const { admin, service } = await withStudio();
      await edit(admin, service, { limits: { queueMax: 7 } });
      const { result } = await edit(admin, service, { limits: { idleMs: 5_000 } });
      const limits = { ...upstreamLimitsDefault, queueMax: 7, idleMs: 5_000 };
      expect(result.limits).toEqual(limits);
      expect((await entriesOf(admin))[0]?.detail).toEqual({ limits });
    });

    it('sets, replaces and removes the proxy, without a word of it in the audit', async () => {
      const { admin, service } = await withStudio();
      for (const proxy of ['http://10.0.0.1:3128', 'https://me:pr0xy-pw@10.0.0.2', null]) {
        const { result } = await edit(admin, service, { proxy });
        expect(openProxy(result, service.access.secretBox)).toBe(proxy);
      }
      const details = (await entriesOf(admin)).slice(0, 3).map(({ detail }) => detail);
      expect(details).toEqual([{ proxy: 'removed' }, { proxy: 'replaced' }, { proxy: 'replaced' }]);
    });

    it('replaces the credential without a word of it in the audit', async () => {
      const { admin, service } = await withStudio();
      await edit(admin, service, { credential: 'new-hunter3' });
      expect(await credentialOf(admin, service)).toBe('new-hunter3');
      const [entry] = await entriesOf(admin);
      expect(entry?.detail).toEqual({ credential: 'replaced' });
    });

    it('replaces the credential of the key main where there are several', async () => {
      const { admin, service } = await withStudio();
      await addKey(admin, service, 'spare');
      await edit(admin, service, { credential: 'new-hunter3' });
      expect(await credentialOf(admin, service, 'main')).toBe('new-hunter3');
      expect(await credentialOf(admin, service, 'spare')).toBe('of spare');
    });

    it('asks which key is meant where none is called main', async () => {
      const { admin, service } = await withStudio();
      await addKey(admin, service, 'a');
      await addKey(admin, service, 'b');
      await removeUpstreamKey(admin, service.access, { upstream: 'studio', name: 'main' });
      await expect(edit(admin, service, { credential: 'x' })).rejects.toThrow(
        'studio has 2 keys and none is called main',
      );
    });

    it('gives an upstream without keys its first', async () => {
      const { admin } = await open();
      const service = listingUpstream({ credential: 'optional' });
      await addUpstream(admin, service.access, studio({ credential: null }));
      await edit(admin, service, { credential: 'the first' });
      expect(await credentialOf(admin, service, 'main')).toBe('the first');
      expect((await entriesOf(admin))[0]?.detail).toEqual({ credential: 'set' });
    });

    it('refuses a credential that its kind has no use for', async () => {
      const { admin } = await open();
      const service = listingUpstream({ credential: 'unused' });
      await addUpstream(admin, service.access, studio({ credential: null }));
      await expect(edit(admin, service, { credential: 'x' })).rejects.toThrow(
        'takes no credential',
      );
    });

    it('never sends a stored credential to another host', async () => {
      const { admin, service } = await withStudio();
      await expect(edit(admin, service, { baseUrl: 'https://evil.example' })).rejects.toThrow(
        'give the credential again with the same change',
      );
      const moved = { baseUrl: 'https://images.example/v2' };
      expect((await edit(admin, service, moved)).result).toMatchObject(moved);
      const both = { baseUrl: 'https://other.example', credential: 'theirs' };
      expect((await edit(admin, service, both)).result).toMatchObject({
        baseUrl: 'https://other.example',
      });
      expect(await credentialOf(admin, service)).toBe('theirs');
    });

    it('never sends one of several stored credentials to another host', async () => {
      const { admin, service } = await withStudio();
      await addKey(admin, service, 'spare');
      const both = { baseUrl: 'https://other.example', credential: 'theirs' };
      await expect(edit(admin, service, both)).rejects.toThrow(
        'This would send credentials of studio (spare) to a host',
      );
      expect(await findUpstream(admin.database, 'studio')).toMatchObject({
        baseUrl: 'https://images.example/v1',
      });
    });

    it('never sends a stored credential to an address among the settings', async () => {
      const { admin, service } = await withStudio();
      const settings = { tokenUrl: 'https://tokens.example/a' };
      await expect(edit(admin, service, { settings })).rejects.toThrow('not meant for');
      await edit(admin, service, { settings, credential: 'theirs' });
      const sameHost = { tokenUrl: 'https://tokens.example/b' };
      expect((await edit(admin, service, { settings: sameHost })).result.settings).toEqual(
        sameHost,
      );
      expect((await edit(admin, service, { settings: {} })).result.settings).toEqual({});
    });

    it('never shows a stored credential to a proxy that could read it', async () => {
      const { admin, service } = await open();
      await addUpstream(admin, service.access, studio({ baseUrl: 'http://10.0.0.7:8188' }));
      const proxy = 'http://10.0.0.1:3128';
      await expect(edit(admin, service, { proxy })).rejects.toThrow('not meant for');
      await edit(admin, service, { proxy, credential: 'theirs' });
      expect((await edit(admin, service, { proxy: null })).result.sealedProxy).toBeNull();
    });

    it.each<[string, UpstreamPatch]>([
      ['credential', { credential: 'x' }],
      ['proxy', { proxy: 'http://10.0.0.1:3128' }],
    ])('refuses to seal a %s with a second key', async (_what, patch) => {
      const { admin, service } = await withStudio();
      const access = { ...service.access, secretBox: new SecretBox(Buffer.alloc(32, 8)) };
      await expect(editUpstream(admin, access, { upstream: 'studio', patch })).rejects.toThrow(
        'the key studio/main was sealed with another master key',
      );
    });

    it('writes nothing when everything is as wanted', async () => {
      const { admin, service } = await withStudio();
      const before = (await entriesOf(admin)).length;
      await edit(admin, service, { priority: 0, limits: {}, proxy: null });
      expect(await entriesOf(admin)).toHaveLength(before);
    });

    it('writes nothing when its adapter refuses the new settings', async () => {
      const { admin, service } = await withStudio();
      await expect(edit(admin, service, { settings: { wrong: 1 } })).rejects.toThrow(
        'no setting wrong',
      );
      expect(await findUpstream(admin.database, 'studio')).toMatchObject({ settings: {} });
    });
  });

  describe('fetching the model list', () => {
    it('says what is new and what is gone', async () => {
      const { admin, service } = await withStudio();
      service.lists('paint-1', 'paint-2');
      expect((await sync(admin, service)).result).toMatchObject({
        listed: 2,
        added: ['paint-1', 'paint-2'],
        gone: [],
      });
      service.lists('paint-2', 'paint-3');
      expect((await sync(admin, service)).result).toMatchObject({
        listed: 2,
        added: ['paint-3'],
        gone: ['paint-1'],
      });
      service.lists('paint-1', 'paint-2', 'paint-3');
      expect((await sync(admin, service)).result).toMatchObject({ added: ['paint-1'], gone: [] });
      const models = await listUpstreamModels(admin.database, { upstreamId: null });
      expect(models.map(({ upstreamModel, goneAt }) => [upstreamModel, goneAt])).toEqual([
        ['paint-1', null],
        ['paint-2', null],
        ['paint-3', null],
      ]);
    });

    it('writes nothing when the list is the same', async () => {
      const { admin, service } = await withSelection();
      const before = (await entriesOf(admin)).length;
      await sync(admin, service);
      expect(await entriesOf(admin)).toHaveLength(before);
    });

    it('says which model lost its last upstream with it, and which got it back', async () => {
      const { admin, service } = await withSelection();
      service.lists('paint-2');
      expect(await sync(admin, service)).toMatchObject({ lost: [modelId], gained: [] });
      expect((await entriesOf(admin))[0]?.detail).toMatchObject({ models_lost: [modelId] });
      service.lists('paint-1');
      expect(await sync(admin, service)).toMatchObject({ lost: [], gained: [modelId] });
    });

    it('does not believe an empty list', async () => {
      const { admin, service } = await withSelection();
      service.lists();
      await expect(sync(admin, service)).rejects.toThrow('the model list is empty');
      const models = await listUpstreamModels(admin.database, { upstreamId: null });
      expect(models.every(({ goneAt }) => goneAt === null)).toBe(true);
    });

    it('passes over entries that nobody could select', async () => {
      const { admin, service } = await withStudio();
      service.lists('paint-1', '', 'bad\nname', 'x'.repeat(201));
      expect((await sync(admin, service)).result.added).toEqual(['paint-1']);
    });

    it('leaves everything as it was when the upstream fails, and closes the adapter', async () => {
      const { admin, service } = await withSelection();
      service.answersWith(async () => {
        throw new UpstreamError('auth', 'the credential was not accepted');
      });
      await expect(sync(admin, service)).rejects.toMatchObject({ fault: 'auth' });
      expect(service.open).toBe(0);
    });

    it('gives up on an upstream that does not answer', async () => {
      const { admin, service } = await withSelection();
      service.answersWith(
        ({ signal }) =>
          new Promise((_, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason as Error));
          }),
      );
      const asked = sync(admin, service);
      await admin.clock.untilSleeping();
      admin.clock.advance(30_000);
      await expect(asked).rejects.toMatchObject({ fault: 'timeout' });
      expect(service.open).toBe(0);
    });
  });

  describe('selecting an upstream model', () => {
    it('gives the model its upstream, once', async () => {
      const { admin, service } = await withStudio();
      service.lists('paint-1');
      await sync(admin, service);
      expect(await selectUpstreamModel(admin, selection)).toMatchObject({
        gained: [modelId],
        lost: [],
      });
      expect(await selectUpstreamModel(admin, selection)).toMatchObject({ gained: [], lost: [] });
      expect(await listSelections(admin.database)).toMatchObject([
        { modelId, upstreamModel: 'paint-1' },
      ]);
    });

    it('keeps how it was mapped', async () => {
      const { admin } = await withSelection();
      await mapUpstreamModel(admin, selection, { strictMask: true });
      const { result } = await selectUpstreamModel(admin, selection);
      expect(result.options.strictMask).toBe(true);
      expect(await listSelections(admin.database)).toMatchObject([
        { options: { strictMask: true } },
      ]);
    });

    it.each([
      ['paint-11', 'paint-11 is not on the model list of studio; did you mean paint-1?'],
      ['brush', 'brush is not on the model list of studio: fetch its list again.'],
    ])('refuses %s, which is not on the list', async (upstreamModel, message) => {
      const { admin } = await withSelection();
      await expect(selectUpstreamModel(admin, { ...selection, upstreamModel })).rejects.toThrow(
        message,
      );
    });

    it('refuses what is gone from the list', async () => {
      const { admin, service } = await withSelection();
      await unselectUpstreamModel(admin, selection);
      service.lists('paint-2');
      await sync(admin, service);
      await expect(selectUpstreamModel(admin, selection)).rejects.toThrow(
        'is not on the model list',
      );
    });

    it.each([
      ['model', { modelId: 'gen-image-9' }, 'There is no model gen-image-9.'],
      ['upstream', { upstream: 'nowhere' }, 'There is no upstream nowhere.'],
    ])('says that there is no such %s', async (_what, changes, message) => {
      const { admin } = await withSelection();
      await expect(selectUpstreamModel(admin, { ...selection, ...changes })).rejects.toThrow(
        message,
      );
    });

    it('is taken back, and says that it was the last', async () => {
      const { admin } = await withSelection();
      expect(await unselectUpstreamModel(admin, selection)).toMatchObject({ lost: [modelId] });
      await expect(unselectUpstreamModel(admin, selection)).rejects.toThrow(
        'paint-1 of studio is not selected for gen-image-2.',
      );
    });
  });

  describe('enabling and disabling an upstream', () => {
    it('says which models it leaves without one, and which get it back', async () => {
      const { admin, service } = await withSelection();
      expect(await enable(admin, service, false)).toMatchObject({ lost: [modelId] });
      expect(await enable(admin, service, false)).toMatchObject({ lost: [] });
      expect(await enable(admin, service, true)).toMatchObject({ gained: [modelId] });
    });

    it.each([true, false])(
      'takes the place of what the service decided (enabled: %s)',
      async (enabled) => {
        const { admin, service } = await withSelection();
        await retireAll(admin);
        const change = await enable(admin, service, enabled);
        expect(change.result).toMatchObject({ enabled, disabledReason: null });
        expect(await findUpstream(admin.database, 'studio')).toMatchObject({
          enabled,
          disabledReason: null,
        });
      },
    );

    it('brings back the keys with which the service disabled it', async () => {
      const { admin, service } = await withSelection();
      await addKey(admin, service, 'ours');
      const disable = { upstream: 'studio', name: 'ours', enabled: false };
      await setEnabledOfUpstreamKey(admin, disable);
      await retireAll(admin);
      expect(await enable(admin, service, true)).toMatchObject({ gained: [modelId] });
      const keys = await listUpstreamKeys(admin.database, { upstreamId: null });
      expect(keys).toMatchObject([
        { name: 'main', enabled: true, disabledReason: null },
        { name: 'ours', enabled: false, disabledReason: null },
      ]);
      expect((await entriesOf(admin))[0]).toMatchObject({
        action: 'upstream.enable',
        detail: { keys: ['main'] },
      });
    });

    it('leaves a key disabled that the service disabled while others work', async () => {
      const { admin, service } = await withSelection();
      await retireAll(admin);
      await addKey(admin, service, 'spare');
      await enable(admin, service, true);
      const keys = await listUpstreamKeys(admin.database, { upstreamId: null });
      expect(keys.map(({ name, enabled }) => [name, enabled])).toEqual([
        ['main', false],
        ['spare', true],
      ]);
    });

    it('refuses to enable one without the key it needs', async () => {
      const { admin, service } = await withStudio();
      await enable(admin, service, false);
      await removeUpstreamKey(admin, service.access, { upstream: 'studio', name: 'main' });
      await expect(enable(admin, service, true)).rejects.toThrow('needs a credential');
      await addKey(admin, service, 'new');
      expect((await enable(admin, service, true)).result.enabled).toBe(true);
    });
  });

  it('removes an upstream only when it is disabled, with all that hangs on it', async () => {
    const { admin, service } = await withSelection();
    await expect(removeUpstream(admin, 'studio')).rejects.toThrow(
      'disable it before you remove it',
    );
    await enable(admin, service, false);
    await removeUpstream(admin, 'studio');
    expect(await listUpstreams(admin.database)).toEqual([]);
    expect(await listSelections(admin.database)).toEqual([]);
    expect(await listUpstreamKeys(admin.database, { upstreamId: null })).toEqual([]);
    expect(await listUpstreamModels(admin.database, { upstreamId: null })).toEqual([]);
  });

  async function open(): Promise<{ admin: TestAdmin; service: ListingUpstream }> {
    return { admin: testAdmin(await engine.open()), service: listingUpstream() };
  }

  async function withStudio() {
    const { admin, service } = await open();
    await addUpstream(admin, service.access, studio());
    admin.clock.advance(1);
    return { admin, service };
  }

  async function withSelection() {
    const { admin, service } = await withStudio();
    service.lists('paint-1');
    await sync(admin, service);
    await selectUpstreamModel(admin, selection);
    admin.clock.advance(1);
    return { admin, service };
  }
});

function studio(changes: Partial<NewUpstream> = {}): NewUpstream {
  return {
    name: 'studio',
    kind: listingKind,
    baseUrl: 'https://images.example/v1',
    credential,
    settings: {},
    priority: 0,
    weight: 1,
    ...changes,
  };
}

/** Every fetch is a moment later than the one before. */
async function sync(admin: TestAdmin, service: ListingUpstream) {
  admin.clock.advance(1);
  return await syncUpstreamModels(admin, service.access, 'studio');
}

function edit(admin: TestAdmin, { access }: ListingUpstream, patch: UpstreamPatch) {
  return editUpstream(admin, access, { upstream: 'studio', patch });
}

function enable(admin: TestAdmin, { access }: ListingUpstream, enabled: boolean) {
  return setEnabledOfUpstream(admin, access, { upstream: 'studio', enabled });
}

function addKey(admin: TestAdmin, { access }: ListingUpstream, name: string) {
  return addUpstreamKey(admin, access, { upstream: 'studio', name, credential: `of ${name}` });
}

/** What the service does when the upstream refuses its enabled keys again and again. */
async function retireAll(admin: TestAdmin): Promise<void> {
  for (const { id, upstreamId, enabled } of await listUpstreamKeys(admin.database, {
    upstreamId: null,
  })) {
    if (enabled) await retireKey(admin, { upstreamId, keyId: id, fault: 'auth' });
  }
}

async function credentialOf(admin: TestAdmin, { access }: ListingUpstream, name = 'main') {
  const keys = await listUpstreamKeys(admin.database, { upstreamId: null });
  const key = must(
    keys.find((one) => one.name === name),
    `the key ${name}`,
  );
  return access.secretBox.open(key.sealedCredential, key.upstreamId);
}

async function entriesOf({ database }: TestAdmin) {
  return (await listAuditEntries(database, {}, { after: null, limit: 20 })).items;
}
