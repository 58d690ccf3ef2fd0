import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAmount } from '../../../shared/money.ts';
import { listApiKeys } from '../../accounts/api-key-store.ts';
import { findUser, listUsers, requireUser } from '../../accounts/user-store.ts';
import type { App } from '../../app.ts';
import { listAuditEntries } from '../../audit/audit-store.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../db/db.ts';
import type { Admin } from '../../flows/admin-change.ts';
import { findRunningService } from '../../flows/installation/running-services.ts';
import { sandboxName, setUpSandbox } from '../../flows/installation/set-up-sandbox.ts';
import { issueKey } from '../../flows/keys/issue-key.ts';
import { revokeKey } from '../../flows/keys/revoke-key.ts';
import { topUpWallet } from '../../flows/money/top-up-wallet.ts';
import { setPassword } from '../../flows/sign-in/change-password.ts';
import type { UpstreamAccess } from '../../flows/upstreams/ask-upstream.ts';
import { syncUpstreamModels } from '../../flows/upstreams/sync-upstream-models.ts';
import { openAccount } from '../../flows/users/open-account.ts';
import { PasswordHasher } from '../../identity/password-hasher.ts';
import { must } from '../../lib/assert.ts';
import { systemClock } from '../../lib/clock.ts';
import { loadMasterKey } from '../../lib/master-key.ts';
import { OperatorError } from '../../lib/operator-error.ts';
import { SecretBox } from '../../lib/secret-box.ts';
import { adapterKinds } from '../../upstreams/registry.ts';
import { readWallet } from '../../wallets/wallet-store.ts';
import { localAddress } from '../local-address.ts';
import { databaseExists, readStatus, withDatabase } from '../open.ts';
import { openApp, serveUntilSignal } from '../serve/run-app.ts';
import type { Terminal } from '../terminal.ts';
import { makeDemoHistory } from './demo-history.ts';
import { type DemoFacts, type DemoSignIn, demoIntroduction } from './demo-introduction.ts';
import { type DemoPicture, makeDemoPicture } from './demo-picture.ts';

export interface DemoOptions {
  /** One line of JSON instead of the introduction. */
  json: boolean;
}

const demoUser = { email: 'demo@tintype.local', name: 'Demo' };
const demoAdmin = { email: 'admin@tintype.local', name: 'Admin' };
const fullWallet = must(parseAmount('100'), 'the demo money');
const lowWallet = must(parseAmount('20'), 'the demo money');
/** Demo keys of earlier starts that are revoked at this one. */
const oldKeysMax = 100;
const keyName = 'demo';
const actor = 'cli:demo';
const passwordBytes = 12;

/**
 * Starts a service with test pictures, a user with money and a key, makes a picture through its own
 * public API, says how to make more, and goes on serving.
 */
export async function demo(
  config: Config,
  terminal: Terminal,
  { json }: DemoOptions,
): Promise<void> {
  const say = (line: string) => terminal.err(`${line}\n`);
  await refuseOccupied(config);
  say(`Starting Tintype with its data in ${config.dataDir} …`);
  const { app } = await openApp(config, 'stderr');
  const stopped = serveUntilSignal(app, () => say('Stopping …'));
  try {
    const facts = await Promise.race([makeFirstPicture(app, config, say), stopped]);
    if (!facts) return;
    if (json) terminal.out(`${JSON.stringify(summaryOf(facts))}\n`);
    else terminal.out(await demoIntroduction(facts));
  } catch (error) {
    await app.stop();
    throw error;
  }
  await stopped;
}

async function makeFirstPicture(
  app: App,
  config: Config,
  say: (line: string) => void,
): Promise<DemoFacts> {
  const admin = adminOf(app.database);
  const access = { kinds: adapterKinds, secretBox: new SecretBox(loadMasterKey(config)) };
  await makePast(admin, { config, access, say });
  await setUpSandbox(admin, access);
  say('Three models are priced, enabled and served by the sandbox upstream.');
  const signIn = await prepareSignIn(admin);
  const { userId, apiKey } = await prepareUser(admin, config.keyPrefix);
  say(`User ${demoUser.email} has a funded wallet and an API key. Making a picture …`);
  const picture = await makeDemoPicture({
    baseUrl: localAddress(app.baseUrl),
    apiKey,
    onPartial: (number) => say(`  partial image ${number}`),
  });
  return {
    app,
    config,
    userId,
    apiKey,
    signIn,
    picture,
    file: savePicture(config.dataDir, picture),
  };
}

function adminOf(database: Database): Admin {
  return { database, clock: systemClock, actor, reason: 'demo' };
}

/**
 * Anybody can use the demo's user, and its past can never be taken out of the books: neither has a place in an
 * installation that somebody has begun. Told before a service is opened there, which would bring its schema up to date.
 */
async function refuseOccupied(config: Config): Promise<void> {
  if (!databaseExists(config)) return;
  const remedy = 'name another folder with --data-dir';
  await withDatabase(config, async (database) => {
    // Made and left before it had a schema.
    if ((await readStatus(config, database)).every(({ executedAt }) => executedAt === null)) return;
    if (await isReal(database)) {
      throw new OperatorError(
        `${config.dataDir} holds an installation that is not a demo; ${remedy}`,
      );
    }
    // It would be left with a key and a password that do not work any more.
    const service = await findRunningService(database);
    if (!service) return;
    throw new OperatorError(
      `a demo already runs in ${config.dataDir} (${service}): stop it first, or ${remedy}`,
    );
  });
}

async function isReal(database: Database): Promise<boolean> {
  if (await findUser(database, demoUser.email)) return false;
  const users = await listUsers(database, { after: null, limit: 1 });
  const [last] = (await listAuditEntries(database, {}, { after: null, limit: 1 })).items;
  // A demo that was stopped before it had its user has changed something itself.
  return users.items.length > 0 || (last !== undefined && last.actor !== actor);
}

/** A past for a fresh demo; a demo of an earlier version stays without one. */
async function makePast(
  admin: Admin,
  { config, access, say }: { config: Config; access: UpstreamAccess; say: (line: string) => void },
): Promise<void> {
  const { database, clock } = admin;
  if (await findUser(database, demoUser.email)) {
    say('This demo was started before: the API key and the passwords of that start end now.');
    return;
  }
  const people = { demo: demoUser, admin: demoAdmin };
  const { keyPrefix } = config;
  await makeDemoHistory({ database, access, people, keyPrefix, nowMs: clock.now() });
  // Otherwise its last check would be the one of weeks ago, until the next is due.
  await syncUpstreamModels(admin, access, sandboxName);
  say('A history of thirty days of use is made up.');
}

/** A fresh password for both of the demo's people: of an earlier one only the hash is known. */
async function prepareSignIn(admin: Admin): Promise<DemoSignIn> {
  const password = randomBytes(passwordBytes).toString('base64url');
  const hasher = new PasswordHasher();
  const known = await findUser(admin.database, demoAdmin.email);
  if (!known)
    await openAccount(admin, { ...demoAdmin, role: 'admin', slotsMax: null, topUp: null });
  for (const { email } of [demoAdmin, demoUser]) {
    await setPassword(admin, hasher, { user: email, password });
  }
  return { emails: [demoAdmin.email, demoUser.email], password };
}

/** The demo's user with enough money and a fresh key. */
async function prepareUser(
  admin: Admin,
  keyPrefix: string,
): Promise<{ userId: string; apiKey: string }> {
  const { email } = demoUser;
  const { id: userId } = await requireUser(admin.database, email);
  const wallet = must(await readWallet(admin.database, userId), 'the demo wallet');
  if (wallet.balance < lowWallet) await topUpWallet(admin, { user: userId, amount: fullWallet });
  // Keys are stored as hashes, so the one of an earlier start cannot be shown again.
  const old = await listApiKeys(admin.database, { userId }, { after: null, limit: oldKeysMax });
  for (const key of old.items) {
    if (key.name === keyName && key.revokedAt === null)
      await revokeKey(admin, { keyId: key.id, userId: null });
  }
  const { secret } = await issueKey(admin, {
    user: userId,
    name: keyName,
    prefix: keyPrefix,
    models: null,
    expiresAt: null,
  });
  return { userId, apiKey: secret };
}

function savePicture(dataDir: string, { bytes, traceId }: DemoPicture): string {
  const folder = join(dataDir, 'pictures');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${traceId}.png`);
  writeFileSync(file, bytes);
  return file;
}

/** For scripts; `base_url` is without `/v1`. */
function summaryOf({ app, apiKey, config, file, picture, signIn }: DemoFacts) {
  return {
    base_url: localAddress(app.baseUrl),
    api_key: apiKey,
    user: demoUser.email,
    admin: demoAdmin.email,
    /** Of both. */
    password: signIn.password,
    data_dir: config.dataDir,
    picture: file,
    cost: picture.cost,
    balance: picture.balance,
    trace_id: picture.traceId,
  };
}
