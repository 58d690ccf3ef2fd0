import { beforeAll, expect, it } from 'vitest';
import { forEachEngine } from '../../test/support/databases/databases.ts';
import type { Database } from '../db/db.ts';
import type { AuditEntry } from './audit-entry.ts';
import { findEntriesAbout } from './audit-erase-store.ts';
import { type AuditFilter, insertAuditEntry, listAuditEntries } from './audit-store.ts';

forEachEngine((engine) => {
  let database: Database;

  beforeAll(async () => {
    database = await engine.open();
    await database.transaction(async (trx) => {
      await insertAuditEntry(trx, entry(1, { actor: 'cli:alice', action: 'model.set_price' }));
      await insertAuditEntry(trx, entry(2, { actor: 'cli:bob', subject: 'gen-image-9' }));
      await insertAuditEntry(trx, entry(3, { actor: 'cli:alice', reason: 'why not' }));
    });
  });

  it.each<[string, AuditFilter, number[]]>([
    ['nothing, newest first', {}, [3, 2, 1]],
    ['who', { actor: 'cli:alice' }, [3, 1]],
    ['what', { action: 'model.set_price' }, [1]],
    ['to what', { subject: 'gen-image-9' }, [2]],
    ['when, its end left out', { fromMs: 2_000, toMs: 3_000 }, [2]],
    ['several at once', { actor: 'cli:alice', fromMs: 2_000 }, [3]],
  ])('finds entries by %s', async (_what, filter, expected) => {
    const { items } = await listAuditEntries(database, filter, { after: null, limit: 10 });
    expect(items.map(({ id }) => id)).toEqual(expected.map((n) => `aud_${n}`));
  });

  it('gives an entry back as it was written, page by page', async () => {
    const first = await listAuditEntries(database, {}, { after: null, limit: 2 });
    expect(first.items[0]).toEqual(entry(3, { actor: 'cli:alice', reason: 'why not' }));
    const second = await listAuditEntries(database, {}, { after: first.next, limit: 2 });
    expect(second).toMatchObject({ items: [{ id: 'aud_1' }], next: null });
  });

  it('finds those about somebody who has had very many keys and codes', async () => {
    const others = Array.from({ length: 2_000 }, (_, n) => `key_${n}`);
    const about = { subjects: [...others, 'gen-image-9'], words: [], after: null };
    expect(await findEntriesAbout(database, about)).toEqual([
      entry(2, { actor: 'cli:bob', subject: 'gen-image-9' }),
    ]);
  });
});

function entry(n: number, changes: Partial<AuditEntry>): AuditEntry {
  return {
    id: `aud_${n}`,
    actor: 'cli:test',
    action: 'model.enable',
    subject: 'gen-image-2',
    reason: null,
    detail: { price: { from: null, to: '0.04' } },
    createdAt: n * 1_000,
    ...changes,
  };
}
