/** Whole installations with a history, for what copies, keeps and moves them. */
import { rmSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import type { Database } from '../../../server/db/db.ts';
import { listTables } from '../../../server/db/engine.ts';
import { migrate } from '../../../server/db/migrate.ts';
import { embeddedFile } from '../../../server/db/open.ts';
import { openSqlite } from '../../../server/db/sqlite/sqlite.ts';
import { tableNames } from '../../../server/db/tables.ts';
import { changeSetting } from '../../../server/flows/installation/change-setting.ts';
import { setUpSandbox } from '../../../server/flows/installation/set-up-sandbox.ts';
import { admit, release, settle } from '../../../server/flows/money/hold-money.ts';
import { refundCharge } from '../../../server/flows/money/refund-charge.ts';
import { listStoredSecrets } from '../../../server/flows/stored-secrets.ts';
import { editUpstream } from '../../../server/flows/upstreams/edit-upstream.ts';
import { editUser } from '../../../server/flows/users/edit-user.ts';
import { markDelivered } from '../../../server/wallets/delivery-store.ts';
import { amount, testAccess, testAdmin } from '../console/test-admin.ts';
import {
  addSpender,
  admissionOf,
  type Spender,
  settlementOf,
  startProcess,
} from '../money/spending.ts';
import { makeScratchFolder } from '../scratch.ts';
import { addStudio } from '../upstreams/studio.ts';

export interface EmbeddedInstallation {
  database: Database;
  dataDir: string;
  file: string;
}

/** A fresh embedded database in a folder of its own, gone after the test. */
export async function openEmbedded(): Promise<EmbeddedInstallation> {
  const dataDir = makeScratchFolder('installation');
  const file = embeddedFile(dataDir);
  const database = openSqlite(file);
  onTestFinished(async () => {
    await database.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  await migrate(database);
  return { database, dataDir, file };
}

/**
 * Accounts, money, requests, catalog, settings and audit, with texts that are hard to carry and to
 * sort, and nothing unfinished.
 */
export async function makeHistory(database: Database): Promise<Spender> {
  const admin = testAdmin(database, 'because "it" is — 100 % \\ right, 🎞️\n');
  await setUpSandbox(admin, testAccess());
  await addSecrets(database);
  await changeSetting(admin, { key: 'slotsPerUser', value: '32' });
  const spender = await addSpender(database, '5.00');
  const names = ['Zoë', 'zoe', 'Ångström', 'O\'Neill; drop table "users"', '日本', '{"a":null}'];
  for (const name of names) {
    const { userId } = await addSpender(database, '0');
    await editUser(admin, userId, { name });
  }
  const { id: processId, die } = await startProcess(database);
  const traceIds: string[] = [];
  for (let i = 0; i < 9; i++) {
    const idempotency = i % 3 === 0 ? { key: `Order ${i}`, fingerprint: 'f' } : null;
    const admission = admissionOf(spender, { processId, images: 2, idempotency });
    await admit(database, admin.clock, admission);
    traceIds.push(admission.traceId);
  }
  const [failed = '', refunded = '', ...paid] = traceIds;
  const ending = { status: 'failed', code: 'upstream_error', attempts: '[]' } as const;
  await release(database, admin.clock, { traceId: failed, ...ending });
  for (const traceId of [refunded, ...paid]) {
    const lowBalance = amount('4.50');
    await settle(database, admin.clock, { ...settlementOf(traceId, 2), lowBalance });
  }
  await database.transaction((trx) => markDelivered(trx, [refunded, ...paid], admin.clock.now()));
  await refundCharge(admin, { traceId: refunded, amount: amount('0.05') });
  await die();
  await database.transaction((trx) => trx.kysely.deleteFrom('processes').execute());
  return spender;
}

/** An upstream that is reached with secrets; see `openedSecrets`. */
async function addSecrets(database: Database): Promise<void> {
  const { admin, service } = await addStudio(database, { keys: ['main', 'spare'] });
  const patch = { proxy: 'http://me:pr0xy-pw@10.0.0.1:3128' };
  await editUpstream(admin, service.access, { upstream: 'studio', patch });
}

/** Every stored secret as it opens with the tests' secret key. */
export async function openedSecrets(database: Database): Promise<readonly string[]> {
  const { secretBox } = testAccess();
  const secrets = await listStoredSecrets(database);
  return secrets.map(({ name, sealed, rowId }) => `${name}: ${secretBox.open(sealed, rowId)}`);
}

/** An open hold, and a charge whose picture was not handed over, of a process that died. */
export async function leaveUnfinished(database: Database, spender: Spender): Promise<void> {
  const { clock } = testAdmin(database);
  const { id: processId, die } = await startProcess(database);
  const [open, charged] = [0, 1].map(() => admissionOf(spender, { processId }));
  for (const admission of [open, charged]) if (admission) await admit(database, clock, admission);
  if (charged) await settle(database, clock, settlementOf(charged.traceId));
  await die();
}

/** Every row of every table, whatever their order. */
export async function contentsOf(database: Database): Promise<Readonly<Record<string, string[]>>> {
  const contents: Record<string, string[]> = {};
  for (const name of tableNames) {
    const rows = await database.kysely.selectFrom(name).selectAll().execute();
    contents[name] = rows.map((row) => JSON.stringify(Object.entries(row).sort(byName))).sort();
  }
  return contents;
}

/** What a moved installation holds, without the note that it was moved. */
export async function contentsOfMoved(target: Database) {
  const { audit_entries: entries = [], ...others } = await contentsOf(target);
  return {
    ...others,
    audit_entries: entries.filter((entry) => !entry.includes('"installation.move"')),
  };
}

/** The tables there are, but for those in which migrations are kept. */
export async function tablesOf(database: Database): Promise<string[]> {
  const names = [...(await listTables(database))].sort();
  return names.filter((name) => !name.startsWith('migrations') && !name.startsWith('sqlite_'));
}

function byName([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1;
}
