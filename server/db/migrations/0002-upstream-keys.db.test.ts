import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import { goBackTo } from '../../../test/support/databases/earlier-schema.ts';
import { contentsOf, tablesOf } from '../../../test/support/history/installation.ts';
import { SecretBox } from '../../lib/secret-box.ts';
import type { Database } from '../db.ts';
import { listColumns } from '../engine.ts';
import { migrate } from '../migrate.ts';
import { tableNames } from '../tables.ts';

const secretBox = new SecretBox(Buffer.alloc(32, 7));
const id = 'up_01kdvdna00r1hnf218w1804dn2';

forEachEngine((engine) => {
  it('keeps the credential of an upstream, as its first key, which opens as before', async () => {
    const database = await openOld(engine.open());
    await addOldUpstream(database, { id, name: 'studio', credential: 'hunter2' });
    await addOldUpstream(database, { id: 'up_2', name: 'sandbox', credential: null });
    await migrate(database);
    const { upstream_keys: keys = [], upstreams = [] } = await contentsOf(database);
    expect(keys).toHaveLength(1);
    const key = Object.fromEntries(JSON.parse(keys[0] ?? '[]') as [string, unknown][]);
    expect(key).toMatchObject({
      id: 'upk_01kdvdna00r1hnf218w1804dn2',
      upstream_id: id,
      name: 'main',
      enabled: 1,
      disabled_reason: null,
      created_at: 2 ** 41,
    });
    expect(secretBox.open(String(key['credential']), id)).toBe('hunter2');
    expect(upstreams).toHaveLength(2);
    expect(upstreams.join()).not.toContain(String(key['credential']));
    expect(await listColumns(database, 'upstreams')).not.toContain('credential');
  });

  it('gives upstreams and selections that were there what is new, at its default', async () => {
    const database = await openOld(engine.open());
    await addOldUpstream(database, { id, name: 'studio', credential: null });
    await sql`insert into upstream_models values (${id}, 'paint', null, 1, null)`.execute(
      database.kysely,
    );
    await sql`insert into selections values ('gen-image-2', ${id}, 'paint', 1)`.execute(
      database.kysely,
    );
    await migrate(database);
    const [upstream] = await database.kysely.selectFrom('upstreams').selectAll().execute();
    expect(upstream).toMatchObject({
      name: 'studio',
      settings: '{"delayMs":1}',
      limits: '{}',
      proxy: null,
      disabled_reason: null,
    });
    const selections = await database.kysely.selectFrom('selections').selectAll().execute();
    expect(selections).toMatchObject([{ upstream_model: 'paint', options: '{}' }]);
  });

  it('leads to the same schema as a new database has', async () => {
    const migrated = await openOld(engine.open());
    await migrate(migrated);
    const fresh = await engine.open();
    expect(await tablesOf(migrated)).toEqual(await tablesOf(fresh));
    for (const name of tableNames) {
      expect(await listColumns(migrated, name)).toEqual(await listColumns(fresh, name));
    }
  });
});

/** A database as version 0.1.0 left it. */
async function openOld(opening: Promise<Database>): Promise<Database> {
  const database = await opening;
  await goBackTo(database, '0001-initial');
  expect(await listColumns(database, 'upstreams')).toContain('credential');
  return database;
}

interface OldUpstream {
  id: string;
  name: string;
  credential: string | null;
}

async function addOldUpstream(database: Database, upstream: OldUpstream): Promise<void> {
  const sealed =
    upstream.credential === null ? null : secretBox.seal(upstream.credential, upstream.id);
  await sql`
    insert into upstreams
      (id, name, kind, base_url, credential, settings, enabled, priority, weight, created_at)
    values
      (${upstream.id}, ${upstream.name}, 'sandbox', null, ${sealed}, '{"delayMs":1}', 1, 0, 1,
       ${2 ** 41})`.execute(database.kysely);
}
