/** Makes a fresh installation ready to be fuzzed: the sandbox, and upstreams that are not to be trusted. */
import { randomBytes } from 'node:crypto';
import { loadConfig } from '../../server/config.ts';
import type { Database } from '../../server/db/db.ts';
import { migrate } from '../../server/db/migrate.ts';
import { openDatabase } from '../../server/db/open.ts';
import type { Admin } from '../../server/flows/admin-change.ts';
import { setUpSandbox } from '../../server/flows/installation/set-up-sandbox.ts';
import { issueKey } from '../../server/flows/keys/issue-key.ts';
import { addModel } from '../../server/flows/models/add-model.ts';
import { setEnabledOfModel } from '../../server/flows/models/enable-model.ts';
import { mapUpstreamModel } from '../../server/flows/models/map-upstream-model.ts';
import { setPrice } from '../../server/flows/models/set-price.ts';
import { addUpstream } from '../../server/flows/upstreams/add-upstream.ts';
import type { UpstreamAccess } from '../../server/flows/upstreams/ask-upstream.ts';
import { syncUpstreamModels } from '../../server/flows/upstreams/sync-upstream-models.ts';
import { openAccount } from '../../server/flows/users/open-account.ts';
import { must } from '../../server/lib/assert.ts';
import { systemClock } from '../../server/lib/clock.ts';
import { loadMasterKey } from '../../server/lib/master-key.ts';
import { SecretBox } from '../../server/lib/secret-box.ts';
import { adapterKinds } from '../../server/upstreams/registry.ts';
import { parseAmount } from '../../shared/money.ts';
import type { HostileUpstream } from '../../test/hostile/hostile-upstream.ts';

/** Models of the fuzzer's own for each kind, so that one that rests does not stop the others. */
const modelsPerKind = 24;
/** A silence of an upstream ends soon; a busy machine still has the time to answer. */
const upstreamLimits = { firstByteMs: 3_000, idleMs: 3_000 };
const money = '1000000';

export interface Installation {
  environment: Readonly<Record<string, string>>;
  apiKey: string;
  credential: string;
  /** By the base of the answers that their upstreams give. */
  models: Readonly<Record<'images' | 'responses', readonly string[]>>;
}

export async function setUpInstallation(
  dataDir: string,
  upstream: HostileUpstream,
): Promise<Installation> {
  const environment = environmentOf(dataDir);
  const { config } = loadConfig({}, environment);
  const database = openFuzzDatabase(dataDir);
  try {
    await migrate(database);
    const admin: Admin = { database, clock: systemClock, actor: 'fuzz', reason: null };
    const access = { kinds: adapterKinds, secretBox: new SecretBox(loadMasterKey(config)) };
    await setUpSandbox(admin, access);
    const credential = `sk-fuzz-${randomBytes(12).toString('hex')}`;
    const models = { images: [] as string[], responses: [] as string[] };
    for (const kind of ['images', 'responses'] as const) {
      for (let number = 0; number < modelsPerKind; number++) {
        const id = `fuzz-${kind}-${number}`;
        await serve({ id, kind, credential, upstream }, admin, access);
        models[kind].push(id);
      }
    }
    return { environment, apiKey: await openUser(admin), credential, models };
  } finally {
    await database.close();
  }
}

export function openFuzzDatabase(dataDir: string): Database {
  return openDatabase({
    url: null,
    dataDir,
    connectionsMax: 4,
    connectTimeoutMs: 10_000,
    onBackgroundError: () => {},
  });
}

function environmentOf(dataDir: string): Readonly<Record<string, string>> {
  return {
    PATH: process.env['PATH'] ?? '',
    TINTYPE_DATA_DIR: dataDir,
    TINTYPE_SECRET_KEY: randomBytes(32).toString('hex'),
    TINTYPE_PORT: '0',
    TINTYPE_LOG_LEVEL: 'debug',
    TINTYPE_ATTEMPTS_PER_PICTURE: '1',
    TINTYPE_GRACE: '0s',
    TINTYPE_REQUEST_DEADLINE: '20s',
    TINTYPE_STREAM_DEADLINE: '20s',
    TINTYPE_HEADERS_TIMEOUT: '5s',
    TINTYPE_UPLOAD_IDLE: '5s',
    TINTYPE_UPSTREAM_CHECK: '0s',
    TINTYPE_SHUTDOWN_LIMIT: '10s',
    TINTYPE_MEMORY_BUDGET: '256MiB',
    TINTYPE_IDEMPOTENCY_REPLAY_MAX: '32MiB',
  };
}

interface Served {
  id: string;
  kind: 'images' | 'responses';
  credential: string;
  upstream: HostileUpstream;
}

async function serve(
  { id, kind, credential, upstream }: Served,
  admin: Admin,
  access: UpstreamAccess,
): Promise<void> {
  const upstreamModel = 'gpt-image-2.5-sunburst';
  await addModel(admin, { id, description: 'to be fuzzed', extendedQualities: false });
  await setPrice(admin, { modelId: id, price: must(parseAmount('0.01'), 'a price') });
  await setEnabledOfModel(admin, { modelId: id, enabled: true });
  await addUpstream(admin, access, {
    name: id,
    kind: `openai-${kind}`,
    baseUrl: upstream.baseUrlOf(id),
    credential,
    settings: kind === 'images' ? { dialect: 'openai' } : {},
    limits: upstreamLimits,
    priority: 0,
    weight: 1,
  });
  await syncUpstreamModels(admin, access, id);
  await mapUpstreamModel(admin, { modelId: id, upstream: id, upstreamModel }, {});
}

async function openUser(admin: Admin): Promise<string> {
  const email = 'fuzz@example.com';
  const topUp = must(parseAmount(money), 'an amount');
  const account = { email, name: email, role: 'user', slotsMax: 1_000, topUp } as const;
  const { id } = await openAccount(admin, account);
  const wanted = { user: id, name: 'fuzz', prefix: 'tin', models: null, expiresAt: null };
  const { secret } = await issueKey(admin, wanted);
  return secret;
}
