import { describe, expect, it } from 'vitest';
import type { TestAdmin } from '../../../test/support/console/test-admin.ts';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import { addStudio, storedCredential } from '../../../test/support/upstreams/studio.ts';
import { listAuditEntries } from '../../audit/audit-store.ts';
import { listUpstreamKeys, updateUpstreamKey } from '../../catalog/upstream-key-store.ts';
import { listUpstreams } from '../../catalog/upstream-store.ts';
import { readRevisions } from '../../db/revisions.ts';
import { SecretBox } from '../../lib/secret-box.ts';
import { openProxy } from '../upstreams/ask-upstream.ts';
import { addUpstreamKey } from '../upstreams/change-upstream-keys.ts';
import { editUpstream } from '../upstreams/edit-upstream.ts';
import { rekey } from './rekey.ts';

const proxy = 'http://me:pr0xy-pw@10.0.0.1:3128';
const present = new SecretBox(Buffer.alloc(32, 9));
const foreign = new SecretBox(Buffer.alloc(32, 5));

forEachEngine((engine) => {
  describe('changing the secret key', () => {
    it('seals every secret anew, and nothing opens with the old one any more', async () => {
      const { admin, old } = await open();
      expect(await rekey(admin, { old, present })).toEqual({ resealed: 3, kept: 0 });
      expect(await storedCredential(admin, present, 'main')).toBe('hunter2-of-main');
      expect(await storedCredential(admin, present, 'spare')).toBe('hunter2-of-spare');
      const [upstream] = await listUpstreams(admin.database);
      expect(upstream && openProxy(upstream, present)).toBe(proxy);
      await expect(storedCredential(admin, old, 'main')).rejects.toThrow('another secret key');
    });

    it('may be repeated, and does the rest of what another version left', async () => {
      const { admin, old, service } = await open();
      await rekey(admin, { old, present });
      expect(await rekey(admin, { old, present })).toEqual({ resealed: 0, kept: 3 });
      const access = { ...service.access, secretBox: present };
      await addUpstreamKey(admin, access, { upstream: 'studio', name: 'new', credential: 'n' });
      const late = old.seal('late', (await listUpstreams(admin.database))[0]?.id ?? '');
      await reseal(admin, 'spare', late);
      expect(await rekey(admin, { old, present })).toEqual({ resealed: 1, kept: 3 });
      expect(await storedCredential(admin, present, 'spare')).toBe('late');
    });

    it('changes nothing when one opens with neither key, and names it', async () => {
      const { admin, old } = await open();
      await reseal(admin, 'spare', foreign.seal('x', 'up_x'));
      const before = await secretsOf(admin);
      const entries = (await entriesOf(admin)).length;
      await expect(rekey(admin, { old, present })).rejects.toThrow(
        'nothing was changed, because these open with neither secret key: the key studio/spare;',
      );
      expect(await secretsOf(admin)).toEqual(before);
      expect(await entriesOf(admin)).toHaveLength(entries);
    });

    it('names all that do not open when the old key is the wrong one', async () => {
      const { admin } = await open();
      await expect(rekey(admin, { old: foreign, present })).rejects.toThrow(
        'the key studio/main, the key studio/spare, the proxy of studio;',
      );
    });

    it('does not vouch for one that is damaged, although the present key sealed it', async () => {
      const { admin, old } = await open();
      await rekey(admin, { old, present });
      await reseal(admin, 'main', present.seal('moved', 'up_other'));
      await expect(rekey(admin, { old, present })).rejects.toThrow('the key studio/main;');
    });

    it('is in the audit, and does not stop the services that run with the old key', async () => {
      const { admin, old } = await open();
      const before = await readRevisions(admin.database.kysely);
      await rekey(admin, { old, present });
      const [entry] = await entriesOf(admin);
      expect(entry).toMatchObject({
        action: 'installation.rekey',
        subject: 'installation',
        detail: { resealed: 3, kept: 0, from_key: old.keyId, to_key: present.keyId },
      });
      expect(JSON.stringify(entry)).not.toContain('hunter2');
      expect(await readRevisions(admin.database.kysely)).toEqual(before);
    });

    it('has nothing to do where nothing is sealed', async () => {
      const { admin, old } = await open({ need: 'optional', keys: [] }, { proxy: null });
      expect(await rekey(admin, { old, present })).toEqual({ resealed: 0, kept: 0 });
    });
  });

  async function open(
    options: Parameters<typeof addStudio>[1] = { keys: ['main', 'spare'] },
    patch: { proxy: string | null } = { proxy },
  ) {
    const { admin, service } = await addStudio(await engine.open(), options);
    await editUpstream(admin, service.access, { upstream: 'studio', patch });
    return { admin, service, old: service.access.secretBox };
  }
});

async function reseal({ database }: TestAdmin, name: string, sealedCredential: string) {
  const keys = await listUpstreamKeys(database, { upstreamId: null });
  const { id = '' } = keys.find((key) => key.name === name) ?? {};
  await database.transaction((trx) => updateUpstreamKey(trx, id, { sealedCredential }));
}

async function secretsOf({ database }: TestAdmin) {
  const keys = await listUpstreamKeys(database, { upstreamId: null });
  const upstreams = await listUpstreams(database);
  return [
    ...keys.map(({ sealedCredential }) => sealedCredential),
    ...upstreams.map(({ sealedProxy }) => sealedProxy),
  ];
}

async function entriesOf({ database }: TestAdmin) {
  return (await listAuditEntries(database, {}, { after: null, limit: 20 })).items;
}
