import { describe, expect, it } from 'vitest';
import { type TestAdmin, testAdmin } from '../../../test/support/console/test-admin.ts';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import {
  type ListingUpstream,
  listingKind,
  listingUpstream,
} from '../../../test/support/upstreams/listing-upstream.ts';
import { storedCredential } from '../../../test/support/upstreams/studio.ts';
import { listAuditEntries } from '../../audit/audit-store.ts';
import { listSelections, listUpstreamModels } from '../../catalog/selection-store.ts';
import { settingsCharactersMax, upstreamLimitsDefault } from '../../catalog/upstream.ts';
import { listUpstreamKeys } from '../../catalog/upstream-key-store.ts';
import { findUpstream, listUpstreams } from '../../catalog/upstream-store.ts';
import { SecretBox } from '../../lib/secret-box.ts';
import { UpstreamError } from '../../upstreams/upstream.ts';
import { mapUpstreamModel } from '../models/map-upstream-model.ts';
import { selectUpstreamModel, unselectUpstreamModel } from '../models/select-upstream-model.ts';
import { addUpstream, type NewUpstream } from './add-upstream.ts';
import { openProxy } from './ask-upstream.ts';
import { setEnabledOfUpstream } from './enable-upstream.ts';
import { removeUpstream } from './remove-upstream.ts';
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
      expect(await storedCredential(admin, service.access.secretBox, 'main')).toBe(credential);
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
      expect(entry?.detail).toMatchObject({ proxy: 'set', limits: { concurrency_max: 2 } });
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
      ['with a weight of nothing', { weight: 0 }, 'A weight must be'],
      ['with an empty credential', { credential: ' ' }, 'The credential is empty.'],
      ['with a proxy that is none', { proxy: 'proxy:3128' }, 'A proxy is http:// or https://'],
      [
        'with a limit beyond all limits',
        { limits: { queueMax: 10_001 } },
        'queue_max must be a whole number from 0 to 10000.',
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
        'was sealed with another secret key',
      );
    });

    it('leaves no adapter open', async () => {
      const { service } = await withStudio();
      expect(service.configs).toHaveLength(1);
      expect(service.open).toBe(0);
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

    it.each([
      ['an empty list', [], 'the model list is empty'],
      ['one of which nothing can be used', ['', 'a\nb'], 'the model list has no entry that can be'],
    ])('does not believe %s', async (_what, names, message) => {
      const { admin, service } = await withSelection();
      service.lists(...names);
      await expect(sync(admin, service)).rejects.toThrow(message);
      const models = await listUpstreamModels(admin.database, { upstreamId: null });
      expect(models.every(({ goneAt }) => goneAt === null)).toBe(true);
    });

    it('passes over entries that nobody could select', async () => {
      const { admin, service } = await withStudio();
      service.lists('paint-1', '', 'bad\nname', 'half a pair \ud83d', 'x'.repeat(201));
      expect((await sync(admin, service)).result.added).toEqual(['paint-1']);
      expect((await sync(admin, service)).result).toMatchObject({ added: [], gone: [] });
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
      ['brush', 'brush is not on the model list of studio.'],
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

  it('removes an upstream only when it is disabled, with all that hangs on it', async () => {
    const { admin, service } = await withSelection();
    await expect(removeUpstream(admin, 'studio')).rejects.toThrow(
      'studio is enabled. First disable it.',
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

function enable(admin: TestAdmin, { access }: ListingUpstream, enabled: boolean) {
  return setEnabledOfUpstream(admin, access, { upstream: 'studio', enabled });
}

async function entriesOf({ database }: TestAdmin) {
  return (await listAuditEntries(database, {}, { after: null, limit: 20 })).items;
}
