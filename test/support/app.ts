import { type App, startApp } from '../../server/app.ts';
import type { Config } from '../../server/config.ts';
import { loadConfig } from '../../server/config.ts';
import type { Database } from '../../server/db/db.ts';
import type { Admin } from '../../server/flows/admin-change.ts';
import { setUpSandbox } from '../../server/flows/installation/set-up-sandbox.ts';
import { issueKey, type NewKey } from '../../server/flows/keys/issue-key.ts';
import { type NewAccount, openAccount } from '../../server/flows/users/open-account.ts';
import { must } from '../../server/lib/assert.ts';
import { type Clock, systemClock } from '../../server/lib/clock.ts';
import { createLogger } from '../../server/lib/logger.ts';
import { loadMasterKey } from '../../server/lib/master-key.ts';
import { SecretBox } from '../../server/lib/secret-box.ts';
import { adapterKinds } from '../../server/upstreams/registry.ts';
import { parseAmount } from '../../shared/money.ts';
import type { DatabaseLocation } from './databases/databases.ts';

export interface TestAppOptions {
  config?: Partial<Config>;
  clock?: Clock;
  /** Every line the service logs; nothing is logged without it. */
  onLogLine?: (line: string) => void;
  /** The built console; without it there are no pages. */
  webFolder?: string;
  /** Nothing is set up, as at the very first start. */
  isBare?: boolean;
}

export interface TestUser {
  id: string;
  email: string;
  apiKey: string;
  apiKeyId: string;
}

/** A real service on a real socket, with the sandbox serving the specified models. */
export interface TestApp {
  app: App;
  baseUrl: string;
  database: Database;
  admin: Admin;
  /** A new user with money (default 100) and an API key. */
  addUser(options?: TestUserOptions): Promise<TestUser>;
  addKey(userId: string, options?: Partial<NewKey>): Promise<{ id: string; secret: string }>;
  /** A request with the user's key; a plain object becomes a JSON body. */
  post(path: string, user: Pick<TestUser, 'apiKey'>, body: object | FormData): Promise<Response>;
  stop(): Promise<void>;
}

export interface TestUserOptions extends Partial<Pick<NewAccount, 'slotsMax' | 'role'>> {
  /** Decimal; `0` leaves the wallet empty. */
  money?: string;
  /** For the name and the address; a number by default. */
  called?: string;
}

let users = 0;

export async function startTestApp(
  location: DatabaseLocation,
  options: TestAppOptions = {},
): Promise<TestApp> {
  const config = testConfig(location, options.config);
  const clock = options.clock ?? systemClock;
  const log = createLogger(options.onLogLine ? 'debug' : 'silent', {
    write: (line) => options.onLogLine?.(line),
  });
  const app = await startApp({ config, clock, log, webFolder: options.webFolder ?? null });
  const { baseUrl, database } = app;
  const admin: Admin = { database, clock, actor: 'test', reason: null };
  const secretBox = new SecretBox(loadMasterKey(config));
  if (!options.isBare) await setUpSandbox(admin, { kinds: adapterKinds, secretBox });
  const addKey = async (userId: string, wanted: Partial<NewKey> = {}) => {
    const { key, secret } = await issueKey(admin, {
      user: userId,
      name: 'test',
      prefix: config.keyPrefix,
      models: null,
      expiresAt: null,
      ...wanted,
    });
    return { id: key.id, secret };
  };
  return {
    app,
    baseUrl,
    database,
    admin,
    addKey,
    addUser: async ({ money = '100', slotsMax = null, role = 'user', called } = {}) => {
      const email = `${called?.toLowerCase() ?? `user${++users}`}@example.com`;
      const topUp = money === '0' ? null : must(parseAmount(money), `the amount ${money}`);
      const user = await openAccount(admin, {
        email,
        name: called ?? email,
        role,
        slotsMax,
        topUp,
      });
      const { id, secret } = await addKey(user.id);
      return { id: user.id, email, apiKey: secret, apiKeyId: id };
    },
    post: (path, { apiKey }, body) =>
      fetch(`${baseUrl}${path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${apiKey}`,
          ...(body instanceof FormData ? {} : { 'content-type': 'application/json' }),
        },
        body: body instanceof FormData ? body : JSON.stringify(body),
      }),
    stop: () => app.stop(),
  };
}

/** Given, so that no test leaves a key file behind. */
const secretKey = Buffer.alloc(32, 7).toString('base64');

function testConfig({ url, dataDir }: DatabaseLocation, changes: Partial<Config> = {}): Config {
  const { config } = loadConfig({ dataDir, databaseUrl: url ?? undefined, secretKey }, {});
  // A test that is about the health of upstreams turns the checks on; one about stopping, its delay.
  return { ...config, port: 0, upstreamCheckMs: 0, shutdownDelayMs: 0, ...changes };
}
