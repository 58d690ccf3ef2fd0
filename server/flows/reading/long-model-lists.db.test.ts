/** Lists of upstreams may have thousands of entries: pages that show none of them do not read them. */
import { beforeAll, describe, expect, it } from 'vitest';
import { testAccess, testAdmin } from '../../../test/support/console/test-admin.ts';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import { statementsOf } from '../../../test/support/databases/explained.ts';
import { readCatalogRecords } from '../../catalog/catalog-cache.ts';
import { markListed } from '../../catalog/selection-store.ts';
import type { Database } from '../../db/db.ts';
import { setUpSandbox } from '../installation/set-up-sandbox.ts';
import { countAttention } from './count-attention.ts';
import { readModels } from './read-models.ts';
import { readReadiness } from './read-readiness.ts';
import { readUpstream, readUpstreams } from './read-upstreams.ts';

const listed = 300;
const lanes = { stateOf: () => null };
const nowMs = Date.UTC(2026, 0, 1);
const reach = { isSecure: true, hasBaseUrl: true, hasProxy: false };

forEachEngine((engine) => {
  let database: Database;

  beforeAll(async () => {
    database = await engine.open();
    const admin = testAdmin(database);
    await setUpSandbox(admin, testAccess());
    const { id: upstreamId } = await database.kysely
      .selectFrom('upstreams')
      .select('id')
      .executeTakeFirstOrThrow();
    await database.transaction(async (trx) => {
      for (let number = 0; number < listed; number++) {
        const entry = { upstreamId, upstreamModel: `entry-${number}`, description: null };
        await markListed(trx, { ...entry, listedAt: nowMs });
      }
    });
  });

  describe('the list of an upstream', () => {
    it.each([
      ['models', (db: Database) => readModels(db, nowMs)],
      ['upstreams', (db: Database) => readUpstreams(db, { lanes, nowMs })],
      ['what is missing', (db: Database) => readReadiness(db, reach)],
      ['the navigation', (db: Database) => countAttention(db, lanes)],
    ])('is not read as a whole for %s', async (_what, work) => {
      const statements = await statementsOf(database, (recorded) => work(recorded));
      const whole = statements.filter(({ text }) => /from "upstream_models"(?! where)/.test(text));
      expect(whole).toEqual([]);
    });

    it('comes with its upstream, and of others there is what is selected', async () => {
      const { models } = await readUpstream(database, 'sandbox', { lanes, nowMs });
      expect(models.length).toBeGreaterThan(listed);
      const { upstreamModels, selections } = await readCatalogRecords(database);
      const entriesOf = (rows: readonly { upstreamModel: string }[]) =>
        rows.map(({ upstreamModel }) => upstreamModel).sort();
      expect(entriesOf(upstreamModels)).toEqual(entriesOf(selections));
    });

    it('was fetched, or not, is told all the same', async () => {
      expect(await readReadiness(database, reach)).toMatchObject({ upstreamConnected: 'done' });
    });
  });
});
