import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type App, startApp } from '../../../../server/app.ts';
import { listAuditEntries } from '../../../../server/audit/audit-store.ts';
import { type Config, loadConfig } from '../../../../server/config.ts';
import type { Database } from '../../../../server/db/db.ts';
import { changeSetting } from '../../../../server/flows/installation/change-setting.ts';
import { issueSetupLink } from '../../../../server/flows/installation/set-up-installation.ts';
import { setUpSandbox } from '../../../../server/flows/installation/set-up-sandbox.ts';
import { issueKey } from '../../../../server/flows/keys/issue-key.ts';
import { topUpWallet } from '../../../../server/flows/money/top-up-wallet.ts';
import { openAccount } from '../../../../server/flows/users/open-account.ts';
import { challengeLifeMs } from '../../../../server/identity/challenge.ts';
import { must } from '../../../../server/lib/assert.ts';
import { createLogger } from '../../../../server/lib/logger.ts';
import { readSettings } from '../../../../server/settings/settings-store.ts';
import { outcomeOf } from '../../../support/callers/api.ts';
import { amount, testAccess, testAdmin } from '../../../support/console/test-admin.ts';
import { goodPassword, Visitor } from '../../../support/console/visitor.ts';
import { type Engine, forEachEngine } from '../../../support/databases/databases.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { makeScratchFolder } from '../../../support/scratch.ts';

const clock = new ManualClock();
const admin = { email: 'ann@example.com', password: goodPassword };

forEachEngine((engine) => {
  test('until somebody has an account, the public API says that it is not set up', async () => {
    const { app, setUp } = await start(engine);
    const ask = () => fetch(`${app.baseUrl}/v1/models`);
    const before = await ask();
    expect(before.status).toBe(503);
    expect(await before.text()).toContain('not set up yet');
    const visitor = new Visitor(app.baseUrl);
    expect((await visitor.get('/bootstrap')).body).toMatchObject({
      installation: { is_set_up: false, registration: 'invitation' },
    });
    const registration = { email: 'eve@example.com', name: 'Eve', password: goodPassword };
    expect((await visitor.post('/registration', registration)).status).toBe(403);
    await setUp(visitor);
    expect((await ask()).status).toBe(401);
  });

  test('until somebody has an account, nobody else opens one, although registration is open', async () => {
    const { app, setUp } = await start(engine);
    const { database } = app;
    await changeSetting(testAdmin(database), { key: 'registration', value: 'open' });
    const registration = { email: 'eve@example.com', name: 'Eve', password: goodPassword };
    const register = () => new Visitor(app.baseUrl).post('/registration', registration);
    expect(outcomeOf(await register())).toMatchObject({ status: 403, code: 'forbidden' });
    expect((await setUp(new Visitor(app.baseUrl))).status).toBe(200);
    expect((await register()).status).toBe(200);
  });

  test('the link makes the first administrator, once, and signs them in', async () => {
    const { app, makeLink, setUp } = await start(engine);
    const secret = await makeLink();
    const spare = await makeLink();
    const visitor = new Visitor(app.baseUrl);
    expect((await setUp(visitor, secret)).status).toBe(200);
    expect((await visitor.get('/bootstrap')).body).toMatchObject({
      installation: { is_set_up: true },
      user: { email: admin.email, role: 'admin' },
    });
    for (const used of [secret, spare]) {
      const other = new Visitor(app.baseUrl);
      const again = await other.post('/setup', {
        ...admin,
        email: 'eve@example.com',
        secret: used,
      });
      expect(outcomeOf(again)).toMatchObject({ status: 403, code: 'forbidden' });
      expect(await other.isSignedIn()).toBe(false);
    }
    expect(await issueSetupLink({ database: app.database, clock })).toBeNull();
  });

  test.each([
    { page: 'zh-CN', said: null, language: 'zh-CN' },
    { page: 'en', said: null, language: 'en' },
    { page: 'en', said: 'zh-CN', language: 'zh-CN' },
    { page: null, said: null, language: 'en' },
  ])(
    'mails are in the language of the page, $page, unless the machine was told otherwise: $said',
    async ({ page, said, language }) => {
      const { app, makeLink } = await start(engine);
      const { database } = app;
      if (said) await changeSetting(testAdmin(database), { key: 'defaultLanguage', value: said });
      const visitor = new Visitor(app.baseUrl);
      const wish = { ...admin, secret: await makeLink() };
      const answer = await visitor.post('/setup', wish, { headers: { 'accept-language': page } });
      expect(answer.status).toBe(200);
      expect((await readSettings(database)).defaultLanguage).toBe(language);
      const changes = page === 'zh-CN' ? [{ detail: { from: 'en', to: language } }] : [];
      const filter = { action: 'setting.change' };
      const { items } = await listAuditEntries(database, filter, { after: null, limit: 9 });
      expect(items.filter(({ actor }) => actor !== 'cli:test')).toMatchObject(changes);
    },
  );

  test('without the link nobody becomes administrator', async () => {
    const { app } = await start(engine);
    for (const secret of ['x', 'x'.repeat(43)]) {
      const answer = await new Visitor(app.baseUrl).post('/setup', { ...admin, secret });
      expect(outcomeOf(answer)).toMatchObject({ status: 403 });
    }
    expect(await emailsIn(app.database)).toEqual([]);
  });

  test('one link, used by twenty at once, makes one account', async () => {
    const { app, makeLink } = await start(engine);
    const secret = await makeLink();
    const answers = await Promise.all(
      tryAll(
        app,
        Array.from({ length: 20 }, () => secret),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await emailsIn(app.database)).toHaveLength(1);
  });

  test('twenty links, used at once, make one account', async () => {
    const { app, makeLink } = await start(engine);
    const secrets: string[] = [];
    for (let i = 0; i < 20; i++) secrets.push(await makeLink());
    const answers = await Promise.all(tryAll(app, secrets));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await emailsIn(app.database)).toHaveLength(1);
  });

  test('a link makes no administrator once somebody was given an account on the machine', async () => {
    const { app, makeLink, setUp } = await start(engine);
    const secret = await makeLink();
    const account = { email: 'bob@example.com', name: 'Bob', role: 'user' } as const;
    await openAccount(testAdmin(app.database), { ...account, slotsMax: null, topUp: null });
    const refused = await setUp(new Visitor(app.baseUrl), secret);
    expect(outcomeOf(refused)).toMatchObject({ status: 403, code: 'forbidden' });
    expect(await emailsIn(app.database)).toEqual([account.email]);
  });

  test('a link lasts a day', async () => {
    const { app, makeLink, setUp } = await start(engine);
    const secret = await makeLink();
    const visitor = new Visitor(app.baseUrl);
    const isValid = async () => (await visitor.post('/setup/check', { secret })).body;
    clock.advance(challengeLifeMs.setup - 1);
    expect(await isValid()).toEqual({ is_valid: true });
    clock.advance(1);
    expect(await isValid()).toEqual({ is_valid: false });
    expect((await setUp(visitor, secret)).status).toBe(403);
  });

  test('a bad password uses the link up as little as a bad address', async () => {
    const { app, makeLink, setUp } = await start(engine);
    const secret = await makeLink();
    const visitor = new Visitor(app.baseUrl);
    for (const wrong of [{ password: 'short' }, { email: 'nobody' }]) {
      expect((await visitor.post('/setup', { ...admin, secret, ...wrong })).status).toBe(400);
    }
    expect((await setUp(visitor, secret)).status).toBe(200);
  });

  test('the longest address may be the first administrator’s', async () => {
    const { app, makeLink } = await start(engine);
    const email = `${'a'.repeat(242)}@example.com`;
    const visitor = new Visitor(app.baseUrl);
    const answer = await visitor.post('/setup', { ...admin, email, secret: await makeLink() });
    expect(answer.status).toBe(200);
    expect((await visitor.get('/bootstrap')).body).toMatchObject({ user: { email } });
  });

  test('a long address is cut between two characters as their name', async () => {
    const { app, makeLink } = await start(engine);
    const beginning = 'a'.repeat(99);
    const email = `${beginning}🎨@example.com`;
    const visitor = new Visitor(app.baseUrl);
    const answer = await visitor.post('/setup', { ...admin, email, secret: await makeLink() });
    expect(answer.status).toBe(200);
    expect((await visitor.get('/bootstrap')).body).toMatchObject({ user: { name: beginning } });
  });

  test('the state is what the data show', async () => {
    const { app, setUp } = await start(engine);
    const visitor = new Visitor(app.baseUrl);
    const stranger = new Visitor(app.baseUrl);
    const stateOf = async (who: Visitor) => (await who.get('/setup/state')).body;
    const none = { upstream: false, models: false, wallet: false, key: false, picture: false };
    expect(await stateOf(visitor)).toEqual({ account: false, ...none });
    await setUp(visitor);
    expect(await stateOf(visitor)).toEqual({ account: true, ...none });
    const { database } = app;
    const owner = { database, clock, actor: 'test', reason: null };
    await setUpSandbox(owner, testAccess());
    await topUpWallet(owner, { user: admin.email, amount: amount('5') });
    await issueKey(owner, {
      user: admin.email,
      name: 'first',
      prefix: 'tin',
      models: null,
      expiresAt: null,
    });
    expect(await stateOf(visitor)).toEqual({
      account: true,
      upstream: true,
      models: true,
      wallet: true,
      key: true,
      picture: false,
    });
    // Who is nobody learns nothing of the rest.
    expect(await stateOf(stranger)).toEqual({ account: true, ...none });
  });

  describe('headless', () => {
    test('options make the administrator at start, once', async () => {
      const options = { adminEmail: admin.email, adminPassword: admin.password };
      const { app, database } = await start(engine, options);
      const visitor = new Visitor(app.baseUrl);
      expect((await visitor.post('/sign-in', admin)).status).toBe(200);
      await app.stop();
      const again = await startOn(engine, database, {
        ...options,
        adminPassword: 'changed password',
      });
      expect(await emailsIn(again.database)).toEqual([admin.email]);
      expect((await new Visitor(again.baseUrl).post('/sign-in', admin)).status).toBe(200);
    });

    test('the password may come from a file', async () => {
      const folder = makeScratchFolder('password');
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const adminPasswordFile = join(folder, 'password');
      writeFileSync(adminPasswordFile, `${goodPassword}\n`);
      const { app } = await start(engine, { adminEmail: admin.email, adminPasswordFile });
      expect((await new Visitor(app.baseUrl).post('/sign-in', admin)).status).toBe(200);
    });

    test('the file may be gone once somebody has an account', async () => {
      const { app, database } = await start(engine, {
        adminEmail: admin.email,
        adminPassword: admin.password,
      });
      await app.stop();
      const options = { adminEmail: admin.email, adminPasswordFile: '/nowhere/password' };
      const again = await startOn(engine, database, options);
      expect((await new Visitor(again.baseUrl).post('/sign-in', admin)).status).toBe(200);
    });

    test('a file that is not there stops the start', async () => {
      const options = { adminEmail: admin.email, adminPasswordFile: '/nowhere/password' };
      await expect(start(engine, options)).rejects.toThrow('TINTYPE_ADMIN_PASSWORD_FILE');
    });

    test('so does one whose password is none, by name', async () => {
      const folder = makeScratchFolder('password');
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const adminPasswordFile = join(folder, 'password');
      writeFileSync(adminPasswordFile, 'short\n');
      const options = { adminEmail: admin.email, adminPasswordFile };
      await expect(start(engine, options)).rejects.toThrow(
        'TINTYPE_ADMIN_PASSWORD_FILE cannot be used: A password must have 12 to 200 characters.',
      );
    });

    test.each([
      [{ adminPassword: admin.email }, 'TINTYPE_ADMIN_PASSWORD cannot be used: The password must'],
      [{ adminEmail: 'ann\0@example.com' }, 'TINTYPE_ADMIN_EMAIL cannot be used: '],
    ])('so does %j', async (wrong, message) => {
      const options = { adminEmail: admin.email, adminPassword: admin.password, ...wrong };
      await expect(start(engine, options)).rejects.toThrow(message);
    });
  });
});

function tryAll(app: App, secrets: readonly string[]) {
  return secrets.map((secret, i) =>
    new Visitor(app.baseUrl).post('/setup', { ...admin, email: `a${i}@example.com`, secret }),
  );
}

async function emailsIn({ kysely }: Database): Promise<string[]> {
  const rows = await kysely.selectFrom('users').select('email').execute();
  return rows.map(({ email }) => email);
}

async function start(engine: Engine, options: Partial<Config> = {}) {
  const database = await engine.open();
  const app = await startOn(engine, database, options);
  const makeLink = async () =>
    must(await issueSetupLink({ database: app.database, clock }), 'a link: nobody is there');
  const setUp = async (visitor: Visitor, secret?: string) =>
    visitor.post('/setup', { ...admin, secret: secret ?? (await makeLink()) });
  return { app, database, makeLink, setUp };
}

async function startOn(engine: Engine, database: Database, options: Partial<Config>): Promise<App> {
  const { url, dataDir } = engine.locationOf(database);
  const secretKey = Buffer.alloc(32, 7).toString('base64');
  const { config } = loadConfig({ dataDir, databaseUrl: url ?? undefined, secretKey }, {});
  const log = createLogger('silent');
  const app = await startApp({
    config: { ...config, port: 0, upstreamCheckMs: 0, shutdownDelayMs: 0, ...options },
    clock,
    log,
  });
  let isStopped = false;
  const stop = async () => {
    if (!isStopped) await app.stop();
    isStopped = true;
  };
  onTestFinished(stop);
  return { ...app, stop };
}
