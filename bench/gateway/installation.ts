/** An installation of Tintype with an upstream, a model and a price for each case, and users with money. */
import { randomBytes } from 'node:crypto';
import { loadConfig } from '../../server/config.ts';
import type { Database } from '../../server/db/db.ts';
import { migrate } from '../../server/db/migrate.ts';
import { openDatabase } from '../../server/db/open.ts';
import type { Admin } from '../../server/flows/admin-change.ts';
import { issueKey } from '../../server/flows/keys/issue-key.ts';
import { addModel } from '../../server/flows/models/add-model.ts';
import { setEnabledOfModel } from '../../server/flows/models/enable-model.ts';
import { selectUpstreamModel } from '../../server/flows/models/select-upstream-model.ts';
import { setPrice } from '../../server/flows/models/set-price.ts';
import { verifyBooks } from '../../server/flows/money/verify-books.ts';
import { addUpstream } from '../../server/flows/upstreams/add-upstream.ts';
import type { UpstreamAccess } from '../../server/flows/upstreams/ask-upstream.ts';
import { syncUpstreamModels } from '../../server/flows/upstreams/sync-upstream-models.ts';
import { openAccount } from '../../server/flows/users/open-account.ts';
import { systemClock } from '../../server/lib/clock.ts';
import { loadMasterKey } from '../../server/lib/master-key.ts';
import { SecretBox } from '../../server/lib/secret-box.ts';
import { adapterKinds } from '../../server/upstreams/registry.ts';
import { amountFromMicros } from '../../shared/money.ts';

export interface Installation {
  environment: Readonly<Record<string, string>>;
  /** One for each of several users. */
  keys: readonly string[];
}

/** An upstream that is called like the model it serves. */
export interface ServedCase {
  name: string;
  kind: 'openai-images' | 'openai-responses';
  /** Where it is, with `/v1` at the end. */
  baseUrl: string;
  settings: Readonly<Record<string, unknown>>;
}

export interface InstallationPlan {
  /** Null for SQLite in the folder. */
  url: string | null;
  dataDir: string;
  served: readonly ServedCase[];
  users: number;
}

const upstreamModel = 'gpt-image-2';
const price = amountFromMicros(40_000);
const openingBalance = amountFromMicros(1_000_000_000_000);
const slotsMax = 10_000;

export async function setUpInstallation(plan: InstallationPlan): Promise<Installation> {
  const environment = environmentOf(plan);
  const { config } = loadConfig({}, environment);
  const database = open(plan);
  try {
    await migrate(database);
    const admin: Admin = { database, clock: systemClock, actor: 'bench', reason: null };
    const access = { kinds: adapterKinds, secretBox: new SecretBox(loadMasterKey(config)) };
    for (const served of plan.served) await serve(admin, access, served);
    return { environment, keys: await openAccounts(admin, plan.users) };
  } finally {
    await database.close();
  }
}

function open({ url, dataDir }: Pick<InstallationPlan, 'url' | 'dataDir'>): Database {
  return openDatabase({
    url,
    dataDir,
    connectionsMax: 4,
    connectTimeoutMs: 30_000,
    onBackgroundError: () => {},
  });
}

/** What is not the default is a limit on how much one machine may ask or send. */
function environmentOf({ url, dataDir }: InstallationPlan): Readonly<Record<string, string>> {
  return {
    ...(url !== null && { DATABASE_URL: url }),
    TINTYPE_DATA_DIR: dataDir,
    TINTYPE_SECRET_KEY: randomBytes(32).toString('hex'),
    TINTYPE_EDIT_BODY_MAX: '512MiB',
    TINTYPE_REQUESTS_IN_FLIGHT: '10000',
  };
}

async function serve(
  admin: Admin,
  access: UpstreamAccess,
  { name, kind, baseUrl, settings }: ServedCase,
): Promise<void> {
  const upstream = { name, kind, baseUrl, settings, credential: null, priority: 0, weight: 1 };
  await addUpstream(admin, access, upstream);
  await syncUpstreamModels(admin, access, name);
  await addModel(admin, { id: name, description: '', extendedQualities: false });
  await selectUpstreamModel(admin, { modelId: name, upstream: name, upstreamModel });
  await setPrice(admin, { modelId: name, price });
  await setEnabledOfModel(admin, { modelId: name, enabled: true });
}

async function openAccounts(admin: Admin, users: number): Promise<readonly string[]> {
  const keys: string[] = [];
  for (let index = 0; index < users; index++) {
    const email = `bench${index}@example.com`;
    const account = { email, name: email, role: 'user', slotsMax, topUp: openingBalance } as const;
    const { id } = await openAccount(admin, account);
    const { secret } = await issueKey(admin, {
      user: id,
      name: 'bench',
      prefix: 'bench',
      models: null,
      expiresAt: null,
    });
    keys.push(secret);
  }
  return keys;
}

/** What is wrong with the books, when so many pictures were delivered. Empty when nothing is. */
export async function checkBooks(
  place: Pick<InstallationPlan, 'url' | 'dataDir'>,
  delivered: number,
): Promise<readonly string[]> {
  const database = open(place);
  try {
    const { violations } = await verifyBooks(database);
    const wrong = violations.map(
      ({ invariant, subject, detail }) => `${subject}: ${invariant}: ${detail}`,
    );
    const charges = await database.kysely
      .selectFrom('wallet_transactions')
      .where('kind', '=', 'charge')
      .select((of) => [
        of.fn.countAll<number | string>().as('count'),
        of.fn.sum<number | string | null>('amount').as('sum'),
      ])
      .executeTakeFirstOrThrow();
    const [count, sum] = [Number(charges.count), Number(charges.sum ?? 0)];
    if (count !== delivered)
      wrong.push(`${delivered} pictures were delivered and ${count} charged`);
    if (-sum !== count * price) wrong.push(`${count} charges come to ${-sum} micros`);
    return wrong;
  } finally {
    await database.close();
  }
}
