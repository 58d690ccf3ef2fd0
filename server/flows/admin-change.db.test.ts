import { expect, it } from 'vitest';
import { testAdmin } from '../../test/support/console/test-admin.ts';
import { forEachEngine } from '../../test/support/databases/databases.ts';
import { insertUser, listUsers } from '../accounts/user-store.ts';
import { listAuditEntries } from '../audit/audit-store.ts';
import type { Database } from '../db/db.ts';
import { readRevisions } from '../db/revisions.ts';
import { adminChange, type Change } from './admin-change.ts';

forEachEngine((engine) => {
  it('writes who did what, when and why, and moves the revision', async () => {
    const admin = testAdmin(await engine.open(), 'asked for by mail');
    const result = await adminChange(admin, async () => changed('done'));
    expect(result).toBe('done');
    expect(await entriesOf(admin.database)).toEqual([
      {
        id: expect.stringMatching(/^aud_/),
        actor: 'cli:test',
        action: 'thing.change',
        subject: 'thing_1',
        reason: 'asked for by mail',
        detail: { from: 1, to: 2 },
        createdAt: admin.clock.now(),
      },
    ]);
    const revisions = await readRevisions(admin.database.kysely);
    expect(Object.fromEntries(revisions)).toEqual({ accounts: 0, catalog: 1, settings: 0 });
  });

  it('leaves no trace of a change that fails half way', async () => {
    const admin = testAdmin(await engine.open());
    const change = adminChange(admin, async (trx, nowMs) => {
      await insertUser(trx, {
        id: 'usr_1',
        email: 'a@example.com',
        name: 'A',
        role: 'user',
        slotsMax: null,
        createdAt: nowMs,
        disabledAt: null,
        erasedAt: null,
      });
      throw new Error('the lights went out');
    });
    await expect(change).rejects.toThrow('the lights went out');
    expect((await listUsers(admin.database, { after: null, limit: 5 })).items).toEqual([]);
    expect(await entriesOf(admin.database)).toEqual([]);
  });

  it('writes nothing when everything was as wanted', async () => {
    const admin = testAdmin(await engine.open());
    expect(await adminChange(admin, async () => ({ result: 'same', entry: null }))).toBe('same');
    expect(await entriesOf(admin.database)).toEqual([]);
    expect((await readRevisions(admin.database.kysely)).get('catalog')).toBe(0);
  });

  it('refuses a reason without end', async () => {
    const admin = testAdmin(await engine.open(), 'x'.repeat(501));
    await expect(adminChange(admin, async () => changed('done'))).rejects.toThrow(
      'A reason must have at most 500 characters.',
    );
  });
});

function changed<T>(result: T): Change<T> {
  return {
    result,
    entry: {
      action: 'thing.change',
      subject: 'thing_1',
      detail: { from: 1, to: 2 },
      topic: 'catalog',
    },
  };
}

async function entriesOf(database: Database) {
  return (await listAuditEntries(database, {}, { after: null, limit: 10 })).items;
}
