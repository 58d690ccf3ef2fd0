/** Makes a fresh installation ready for a storm: sandbox with a journal, users, money, keys. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { loadConfig } from '../../server/config.ts';
import type { Database } from '../../server/db/db.ts';
import { migrate } from '../../server/db/migrate.ts';
import { type DatabaseOptions, openDatabase } from '../../server/db/open.ts';
import type { Admin } from '../../server/flows/admin-change.ts';
import { setUpSandbox } from '../../server/flows/installation/set-up-sandbox.ts';
import { issueKey } from '../../server/flows/keys/issue-key.ts';
import { editUpstream } from '../../server/flows/upstreams/edit-upstream.ts';
import { openAccount } from '../../server/flows/users/open-account.ts';
import { must } from '../../server/lib/assert.ts';
import { systemClock } from '../../server/lib/clock.ts';
import { loadMasterKey } from '../../server/lib/master-key.ts';
import { SecretBox } from '../../server/lib/secret-box.ts';
import { adapterKinds } from '../../server/upstreams/registry.ts';
import { type Amount, parseAmount } from '../../shared/money.ts';
import type { Plan } from './plan.ts';

/** Where a storm's database is. */
export type StormDatabase = Pick<DatabaseOptions, 'url' | 'dataDir'>;

export interface Installation {
  database: Database;
  admin: Admin;
  environment: Readonly<Record<string, string>>;
  journalFile: string;
  users: readonly { id: string; opening: Amount }[];
  /** One for each errand, so that the ledger tells whose errand a request was. */
  keys: ReadonlyMap<number, { id: string; secret: string }>;
}

/**
 * Short, so that what takes minutes in production takes seconds; but a process that merely waits for
 * its share of a busy machine must not lose its lease.
 */
export const stormTimes = {
  leaseMs: 4_000,
  renewMs: 400,
  graceMs: 1_000,
  deadlineMs: 4_000,
  /** Of a frozen process: its lease runs out. */
  freezeMs: 5_200,
} as const;

export async function setUpInstallation(
  { url, dataDir }: StormDatabase,
  folder: string,
  plan: Plan,
): Promise<Installation> {
  const journalFile = join(folder, 'upstream.sandbox-journal');
  const environment = environmentOf({ url, dataDir });
  const { config } = loadConfig({}, environment);
  const database = openDatabase({
    url,
    dataDir,
    connectionsMax: 4,
    connectTimeoutMs: 10_000,
    onBackgroundError: () => {},
  });
  await migrate(database);
  const admin: Admin = { database, clock: systemClock, actor: 'storm', reason: null };
  const access = { kinds: adapterKinds, secretBox: new SecretBox(loadMasterKey(config)) };
  await setUpSandbox(admin, access);
  await editUpstream(admin, access, {
    upstream: 'sandbox',
    patch: { settings: { journal: journalFile } },
  });
  const users = await openAccounts(admin, plan);
  const keys = await issueKeys(admin, plan, users);
  return { database, admin, environment, journalFile, users, keys };
}

function environmentOf({ url, dataDir }: StormDatabase): Readonly<Record<string, string>> {
  const { leaseMs, renewMs, graceMs, deadlineMs } = stormTimes;
  return {
    // For `hostname` and the like; nothing else of this process's environment is passed on.
    PATH: process.env['PATH'] ?? '',
    ...(url !== null && { DATABASE_URL: url }),
    TINTYPE_DATA_DIR: dataDir,
    TINTYPE_SECRET_KEY: randomBytes(32).toString('hex'),
    TINTYPE_LOG_LEVEL: 'info',
    TINTYPE_LEASE: `${leaseMs}ms`,
    TINTYPE_LEASE_RENEW: `${renewMs}ms`,
    TINTYPE_GRACE: `${graceMs}ms`,
    TINTYPE_REQUEST_DEADLINE: `${deadlineMs}ms`,
    TINTYPE_STREAM_DEADLINE: `${deadlineMs}ms`,
    TINTYPE_SHUTDOWN_LIMIT: '3s',
    TINTYPE_DATABASE_CONNECTIONS: '8',
  };
}

async function openAccounts(admin: Admin, { users }: Plan): Promise<Installation['users']> {
  const opened: { id: string; opening: Amount }[] = [];
  for (const [index, { money, slotsMax }] of users.entries()) {
    const opening = must(parseAmount(money), `the amount ${money}`);
    const email = `storm${index}@example.com`;
    const account = { email, name: email, role: 'user', slotsMax, topUp: opening } as const;
    const { id } = await openAccount(admin, account);
    opened.push({ id, opening });
  }
  return opened;
}

async function issueKeys(
  admin: Admin,
  { errands }: Plan,
  users: Installation['users'],
): Promise<Installation['keys']> {
  const keys = new Map<number, { id: string; secret: string }>();
  for (const { number, user } of errands) {
    const { key, secret } = await issueKey(admin, {
      user: must(users[user], 'the user of an errand').id,
      name: `errand ${number}`,
      prefix: 'storm',
      models: null,
      expiresAt: null,
    });
    keys.set(number, { id: key.id, secret });
  }
  return keys;
}
