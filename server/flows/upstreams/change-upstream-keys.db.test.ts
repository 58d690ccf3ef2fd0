import { describe, expect, it } from 'vitest';
import type { TestAdmin } from '../../../test/support/console/test-admin.ts';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import {
  addStudio,
  addStudioKey,
  storedCredential,
  studioModel,
} from '../../../test/support/upstreams/studio.ts';
import { listAuditEntries } from '../../audit/audit-store.ts';
import { keysPerUpstreamMax } from '../../catalog/upstream-key.ts';
import { insertUpstreamKey, listUpstreamKeys } from '../../catalog/upstream-key-store.ts';
import { requireUpstream } from '../../catalog/upstream-store.ts';
import { makeId } from '../../lib/ids.ts';
import { SecretBox } from '../../lib/secret-box.ts';
import {
  addUpstreamKey,
  removeUpstreamKey,
  replaceUpstreamKey,
  setEnabledOfUpstreamKey,
} from './change-upstream-keys.ts';
import { setEnabledOfUpstream } from './enable-upstream.ts';
import { retireKey } from './retire-key.ts';

const { modelId } = studioModel;
const main = { upstream: 'studio', name: 'main' };
const spare = { upstream: 'studio', name: 'spare' };
const otherBox = new SecretBox(Buffer.alloc(32, 8));

forEachEngine((engine) => {
  describe('adding a key', () => {
    it('stores it sealed, enabled, without a word of it in the audit', async () => {
      const { admin, service } = await open();
      const wanted = { ...spare, credential: ' hunter2-of-spare\n' };
      const { result } = await addUpstreamKey(admin, service.access, wanted);
      expect(result).toMatchObject({
        name: 'spare',
        enabled: true,
        disabledReason: null,
        lastFour: 'pare',
      });
      expect(await keysOf(admin)).toMatchObject([{ name: 'main' }, result]);
      expect(await credentialOf(admin, service, 'spare')).toBe('hunter2-of-spare');
      const [entry] = await entriesOf(admin);
      expect(entry).toMatchObject({
        action: 'upstream.add_key',
        detail: { name: 'studio', key: 'spare' },
      });
      const rows = JSON.stringify([await entriesOf(admin), await keysOf(admin)]);
      expect(rows).not.toContain('hunter2');
    });

    it('gives a model its upstream back that lost its last enabled key', async () => {
      const { admin, service } = await open();
      await setEnabledOfUpstreamKey(admin, { ...main, enabled: false });
      expect(await addStudioKey(admin, service, 'spare')).toMatchObject({ gained: [modelId] });
    });

    it.each<[string, { name?: string; credential?: string; upstream?: string }, string]>([
      ['a name that is taken', { name: 'main' }, 'There is already a key called main.'],
      ['a name that is none', { name: 'a b' }, 'The name of a key has'],
      ['an empty credential', { credential: '\n' }, 'The credential is empty.'],
      ['an upstream that is not there', { upstream: 'x' }, 'There is no upstream x.'],
    ])('refuses %s', async (_what, changes, message) => {
      const { admin, service } = await open();
      const wanted = { ...spare, credential: 'x', ...changes };
      await expect(addUpstreamKey(admin, service.access, wanted)).rejects.toThrow(message);
      expect(await keysOf(admin)).toMatchObject([{ name: 'main' }]);
    });

    it('refuses one that its kind has no use for', async () => {
      const { admin, service } = await open({ need: 'unused', keys: [] });
      await expect(addStudioKey(admin, service, 'main')).rejects.toThrow('takes no credential');
    });

    it('refuses to seal with a second key', async () => {
      const { admin, service } = await open();
      const access = { ...service.access, secretBox: otherBox };
      await expect(addUpstreamKey(admin, access, { ...spare, credential: 'x' })).rejects.toThrow(
        'the key studio/main was sealed with another secret key',
      );
    });

    it(`takes ${keysPerUpstreamMax} keys for an upstream, and no more`, async () => {
      const { admin, service } = await open();
      await fill(admin, keysPerUpstreamMax - 1);
      await addStudioKey(admin, service, 'the-last');
      await expect(addStudioKey(admin, service, 'one-more')).rejects.toThrow(
        `studio has ${keysPerUpstreamMax} keys`,
      );
    });

    it('counts those that others add at the same time', async () => {
      const { admin, service } = await open();
      await fill(admin, keysPerUpstreamMax - 1);
      const tries = ['a', 'b', 'c'].map((name) => addStudioKey(admin, service, name));
      const outcomes = await Promise.allSettled(tries);
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await keysOf(admin)).toHaveLength(keysPerUpstreamMax);
    });
  });

  describe('replacing a key', () => {
    it('seals the new credential in its place', async () => {
      const { admin, service } = await open();
      const [before] = await keysOf(admin);
      const wanted = { ...main, credential: 'hunter3-of-the-new-key' };
      await replaceUpstreamKey(admin, service.access, wanted);
      expect(await keysOf(admin)).toMatchObject([
        { id: before?.id, name: 'main', enabled: true, lastFour: '-key' },
      ]);
      expect(await credentialOf(admin, service, 'main')).toBe('hunter3-of-the-new-key');
      const [entry] = await entriesOf(admin);
      expect(entry?.action).toBe('upstream.replace_key');
      expect(JSON.stringify(entry)).not.toContain('hunter3');
    });

    it('brings back one that the service disabled', async () => {
      const { admin, service } = await open({ keys: ['main', 'spare'] });
      await retire(admin, 'main');
      await replaceUpstreamKey(admin, service.access, { ...main, credential: 'new' });
      expect((await keysOf(admin))[0]).toMatchObject({ enabled: true, disabledReason: null });
    });

    it('leaves one disabled that an administrator disabled', async () => {
      const { admin, service } = await open();
      await setEnabledOfUpstreamKey(admin, { ...main, enabled: false });
      await replaceUpstreamKey(admin, service.access, { ...main, credential: 'new' });
      expect((await keysOf(admin))[0]).toMatchObject({ enabled: false });
    });

    it('guesses which key was meant', async () => {
      const { admin, service } = await open();
      const wanted = { ...main, name: 'mian', credential: 'x' };
      await expect(replaceUpstreamKey(admin, service.access, wanted)).rejects.toThrow(
        'studio has no key mian; did you mean main?',
      );
    });

    it('refuses to seal with a second key, unless the first is lost', async () => {
      const { admin, service } = await open({ keys: ['main', 'spare'] });
      const access = { ...service.access, secretBox: otherBox };
      const wanted = { ...main, credential: 'new' };
      await expect(replaceUpstreamKey(admin, access, wanted)).rejects.toThrow(
        'was sealed with another secret key',
      );
      await replaceUpstreamKey(admin, access, { ...wanted, masterKeyLost: true });
      await replaceUpstreamKey(admin, access, { ...wanted, name: 'spare', masterKeyLost: true });
      expect(await storedCredential(admin, otherBox, 'main')).toBe('new');
      await replaceUpstreamKey(admin, access, { ...wanted, credential: 'newer' });
      expect(await storedCredential(admin, otherBox, 'main')).toBe('newer');
    });
  });

  describe('removing a key', () => {
    it('deletes it', async () => {
      const { admin, service } = await open({ keys: ['main', 'spare'] });
      await removeUpstreamKey(admin, service.access, main);
      expect(await keysOf(admin)).toMatchObject([{ name: 'spare' }]);
      expect((await entriesOf(admin))[0]).toMatchObject({
        action: 'upstream.remove_key',
        detail: { name: 'studio', key: 'main' },
      });
    });

    it('refuses the last one that an enabled upstream needs, and says what to do', async () => {
      const { admin, service } = await open();
      await expect(removeUpstreamKey(admin, service.access, main)).rejects.toThrow(
        'main is the only key of studio, which needs one: first add another, or disable the upstream.',
      );
      await disable(admin);
      await removeUpstreamKey(admin, service.access, main);
      expect(await keysOf(admin)).toEqual([]);
    });

    it('leaves one when two remove the last two at the same time', async () => {
      const { admin, service } = await open({ keys: ['main', 'spare'] });
      const tries = [main, spare].map((key) => removeUpstreamKey(admin, service.access, key));
      const outcomes = await Promise.allSettled(tries);
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await keysOf(admin)).toHaveLength(1);
    });

    it('leaves an upstream that can do without to serve without', async () => {
      const { admin, service } = await open({ need: 'optional' });
      await setEnabledOfUpstreamKey(admin, { ...main, enabled: false });
      const change = await removeUpstreamKey(admin, service.access, main);
      expect(change).toMatchObject({ gained: [modelId], lost: [] });
    });

    it('says which model lost its last upstream with the last enabled key', async () => {
      const { admin, service } = await open({ keys: ['main', 'spare'] });
      await setEnabledOfUpstreamKey(admin, { ...spare, enabled: false });
      expect(await removeUpstreamKey(admin, service.access, main)).toMatchObject({
        lost: [modelId],
      });
      expect((await entriesOf(admin))[0]?.detail).toMatchObject({ models_lost: [modelId] });
    });

    it('works for a kind that this version no longer has a use for keys of', async () => {
      const { admin } = await open();
      await removeUpstreamKey(admin, { kinds: new Map() }, main);
      expect(await keysOf(admin)).toEqual([]);
    });
  });

  describe('enabling and disabling a key', () => {
    it('says which model loses its last upstream with it, and gets it back', async () => {
      const { admin } = await open({ keys: ['main', 'spare'] });
      expect(await setEnabledOfUpstreamKey(admin, { ...main, enabled: false })).toMatchObject({
        lost: [],
      });
      expect(await setEnabledOfUpstreamKey(admin, { ...spare, enabled: false })).toMatchObject({
        lost: [modelId],
      });
      expect((await entriesOf(admin))[0]).toMatchObject({
        action: 'upstream.disable_key',
        detail: { key: 'spare', models_lost: [modelId] },
      });
      expect(await setEnabledOfUpstreamKey(admin, { ...main, enabled: true })).toMatchObject({
        gained: [modelId],
      });
    });

    it('does so even where the upstream could do without a key', async () => {
      const { admin } = await open({ need: 'optional' });
      expect(await setEnabledOfUpstreamKey(admin, { ...main, enabled: false })).toMatchObject({
        lost: [modelId],
      });
    });

    it.each([true, false])(
      'takes the place of what the service decided (enabled: %s)',
      async (enabled) => {
        const { admin } = await open({ keys: ['main', 'spare'] });
        await retire(admin, 'main');
        const { result } = await setEnabledOfUpstreamKey(admin, { ...main, enabled });
        expect(result).toMatchObject({ enabled, disabledReason: null });
        expect((await keysOf(admin))[0]).toMatchObject({ enabled, disabledReason: null });
      },
    );

    it('writes nothing when it is as wanted', async () => {
      const { admin } = await open();
      const before = (await entriesOf(admin)).length;
      await setEnabledOfUpstreamKey(admin, { ...main, enabled: true });
      expect(await entriesOf(admin)).toHaveLength(before);
    });
  });

  async function open(options: Parameters<typeof addStudio>[1] = {}) {
    return addStudio(await engine.open(), options);
  }
});

/** Adds keys until the upstream has as many as `count`. */
async function fill({ database }: TestAdmin, count: number): Promise<void> {
  await database.transaction(async (trx) => {
    const { id: upstreamId } = await requireUpstream(trx, 'studio');
    const { length } = await listUpstreamKeys(trx, { upstreamId });
    for (let i = length; i < count; i++) {
      const key = { id: makeId('upk', i), upstreamId, name: `filler-${i}`, createdAt: i };
      const sealedCredential = new SecretBox(Buffer.alloc(32, 7)).seal('x', upstreamId);
      await insertUpstreamKey(trx, {
        ...key,
        sealedCredential,
        enabled: true,
        disabledReason: null,
        enabledTimes: 0,
        lastFour: null,
      });
    }
  });
}

function keysOf({ database }: TestAdmin) {
  return listUpstreamKeys(database, { upstreamId: null });
}

function credentialOf(
  admin: TestAdmin,
  service: { access: { secretBox: SecretBox } },
  name: string,
) {
  return storedCredential(admin, service.access.secretBox, name);
}

async function retire(admin: TestAdmin, name: string): Promise<void> {
  const key = (await keysOf(admin)).find((one) => one.name === name);
  const { upstreamId = '', id: keyId = '', sealedCredential = '' } = key ?? {};
  const dead = { upstreamId, keyId, sealedCredential, fault: 'auth' as const };
  expect((await retireKey(admin, dead)).result).toBe('key');
}

function disable(admin: TestAdmin) {
  const access = { kinds: new Map() };
  return setEnabledOfUpstream(admin, access, { upstream: 'studio', enabled: false });
}

async function entriesOf({ database }: TestAdmin) {
  return (await listAuditEntries(database, {}, { after: null, limit: 20 })).items;
}
