/** Signing in at the moment in which somebody's sessions are ended: none is left over. */
import { sql } from 'kysely';
import { generateSync } from 'otplib/functional';
import { beforeEach, describe, expect, it } from 'vitest';
import { SoftwarePasskey } from '../../../test/support/console/software-passkey.ts';
import { type TestAdmin, testAccess, testAdmin } from '../../../test/support/console/test-admin.ts';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import { pauseAfterRead } from '../../../test/support/databases/intercepted-database.ts';
import { patience } from '../../../test/support/patience.ts';
import type { Database } from '../../db/db.ts';
import type { Schema } from '../../db/schema.ts';
import { listAccessTokens } from '../../identity/access-token-store.ts';
import { findAuthenticator, writeAuthenticator } from '../../identity/authenticator-store.ts';
import { openChallenge } from '../../identity/challenge-store.ts';
import { insertOutsideIdentity } from '../../identity/outside-identity-store.ts';
import { OutsideIssuer, type OutsidePerson } from '../../identity/outside-issuer.ts';
import { askToRegister, checkRegistration } from '../../identity/passkey-ceremony.ts';
import { insertPasskey, listPasskeys } from '../../identity/passkey-store.ts';
import { PasswordHasher } from '../../identity/password-hasher.ts';
import { hashRecoveryCode, makeRecoveryCode } from '../../identity/recovery-code.ts';
import { replaceRecoveryCodes } from '../../identity/recovery-code-store.ts';
import { must } from '../../lib/assert.ts';
import { SettingsCache } from '../../settings/settings-cache.ts';
import { createUser } from '../users/create-user.ts';
import { setUserEnabled } from '../users/enable-user.ts';
import { endUserSessions } from '../users/end-user-sessions.ts';
import { unlinkIssuer } from '../users/unlink-issuer.ts';
import { makeAccessToken } from './change-access-tokens.ts';
import {
  beginAuthenticator,
  confirmAuthenticator,
  renewRecoveryCodes,
} from './change-authenticator.ts';
import { addPasskey, beginPasskey } from './change-passkeys.ts';
import { setPassword } from './change-password.ts';
import { issuePasswordReset, resetPassword } from './reset-password.ts';
import { finishIssuerSignIn } from './sign-in-by-issuer.ts';
import { askPasskey, signInByPasskey } from './sign-in-by-passkey.ts';
import { signInByPassword } from './sign-in-by-password.ts';
import { signInBySecondFactor } from './sign-in-by-second-factor.ts';

const hasher = new PasswordHasher();
const { secretBox } = testAccess();
const site = { origin: 'https://images.example.com' };
const visitor = { userAgent: null, address: null };
const email = 'ann@example.com';
const password = 'a password to be changed';
const newPassword = 'quite another password';

/** What is prepared beforehand answers with what is then done at the same moment. */
type Prepare = (admin: TestAdmin, userId: string) => Promise<Deed>;
type Deed = (database: Database) => Promise<unknown>;

/** What a browser answers has the form of its standard. */
type Made = Parameters<typeof checkRegistration>[0]['answer'];
type Used = Parameters<typeof signInByPasskey>[1]['answer'];

const byPassword: Prepare =
  async ({ clock }) =>
  (database) =>
    signInByPassword({ database, clock, hasher }, { email, password, visitor });

const byCode: Prepare = async ({ database, clock }, userId) => {
  const code = await addSecondFactor({ database, clock }, userId);
  const asked = await signInByPassword({ database, clock, hasher }, { email, password, visitor });
  const { secret } = must(asked.kind === 'second_factor' ? asked : null, 'a question for the code');
  return (slow) =>
    signInBySecondFactor({ database: slow, clock, secretBox }, { secret, code, visitor });
};

/** Answers with a code. */
async function addSecondFactor(
  { database, clock }: Pick<TestAdmin, 'database' | 'clock'>,
  userId: string,
): Promise<string> {
  const code = makeRecoveryCode();
  const nowMs = clock.now();
  await database.transaction(async (trx) => {
    const sealedSecret = secretBox.seal('JBSWY3DPEHPK3PXP', userId);
    const times = { createdAt: nowMs, confirmedAt: null, lastStep: null };
    await writeAuthenticator(trx, { userId, sealedSecret, ...times });
    const confirmed = { confirmed_at: nowMs };
    await trx.kysely.updateTable('authenticators').set(confirmed).execute();
    await replaceRecoveryCodes(trx, userId, [hashRecoveryCode(code, userId)]);
  });
  return code;
}

const byPasskey: Prepare = async ({ database, clock }, userId) => {
  const passkey = new SoftwarePasskey();
  const user = { id: userId, email, name: 'Ann' };
  const question = await askToRegister({ site, installation: 'Images', user, known: [] });
  const { challenge } = question;
  const made = passkey.register(question, site) as Made;
  const checked = must(await checkRegistration({ site, challenge, answer: made }), 'a passkey');
  const times = { createdAt: clock.now(), lastUsedAt: null };
  await database.transaction((trx) =>
    insertPasskey(trx, { ...checked, userId, name: 'Laptop', ...times }),
  );
  const deps = { database, clock };
  const asked = await askPasskey(deps, { site, purpose: 'passkey_sign_in', userId: null });
  const answer = passkey.use(asked.options, site) as Used;
  const given = { site, secret: asked.secret, answer, visitor };
  return (slow) => signInByPasskey({ database: slow, clock }, given);
};

const known = { issuer: 'https://login.example.com', subject: 'ann' };

/** Whoever comes back from it is the person it knew first, who has another address there by now. */
class OneIssuer extends OutsideIssuer {
  override async finish(): Promise<OutsidePerson> {
    return { ...known, email: null, emailVerified: false, name: null, seenAgoMs: null };
  }
}

const byIssuer: Prepare = async ({ database, clock }, userId) => {
  const nowMs = clock.now();
  const options = { issuer: known.issuer, clientId: 'tintype', clientSecret: null, scopes: '' };
  const issuer = new OneIssuer(options, clock);
  const visit = { state: '', nonce: '', verifier: '', redirectUri: site.origin };
  const data = { visit, next: '/', invitationHash: null };
  const secret = await database.transaction(async (trx) => {
    await insertOutsideIdentity(trx, { ...known, userId, nowMs });
    return openChallenge(trx, { kind: 'oidc', userId: null, data, nowMs });
  });
  return async (slow) => {
    const settings = new SettingsCache(database);
    const deps = { database: slow, clock, issuer, settings };
    try {
      await finishIssuerSignIn(deps, { secret, answer: new URLSearchParams(), visitor });
    } finally {
      settings.close();
    }
  };
};

const unlinking: Prepare = async (admin, userId) => (database) =>
  unlinkIssuer({ ...admin, database }, userId);

const newPasswordByAdmin: Prepare = async (admin) => (database) =>
  setPassword({ ...admin, database }, hasher, { user: email, password: newPassword });

const newPasswordByLink: Prepare = async (admin) => {
  const secret = await issuePasswordReset(admin, email);
  const { clock } = admin;
  return (database) =>
    resetPassword({ database, clock, hasher }, { secret, password: newPassword });
};

const disabling: Prepare = async (admin) => (database) =>
  setUserEnabled({ ...admin, database }, email, false);

interface Race {
  by: string;
  meanwhile: string;
  entry: Prepare;
  ending: Prepare;
  /** At which the entry stops for a moment. */
  table: keyof Schema;
}

const withPassword = { by: 'a password', entry: byPassword, table: 'passwords' } as const;
const withCode = { by: 'a code', entry: byCode, table: 'recovery_codes' } as const;
const withPasskey = { by: 'a passkey', entry: byPasskey, table: 'passkeys' } as const;
const withIssuer = { by: 'an issuer', entry: byIssuer, table: 'outside_identities' } as const;
const races: readonly Race[] = [
  { ...withPassword, meanwhile: 'another one is given', ending: newPasswordByAdmin },
  { ...withPassword, meanwhile: 'it is set anew by a link', ending: newPasswordByLink },
  { ...withPassword, meanwhile: 'the user is disabled', ending: disabling },
  { ...withCode, meanwhile: 'another password is given', ending: newPasswordByAdmin },
  { ...withCode, meanwhile: 'the password is set anew by a link', ending: newPasswordByLink },
  { ...withCode, meanwhile: 'the user is disabled', ending: disabling },
  { ...withPasskey, meanwhile: 'the user is disabled', ending: disabling },
  { ...withIssuer, meanwhile: 'the user is disabled', ending: disabling },
  { ...withIssuer, meanwhile: 'that is unlinked', ending: unlinking },
];

forEachEngine((engine) => {
  let admin: TestAdmin;
  let userId: string;

  beforeEach(async () => {
    admin = testAdmin(await engine.open());
    const account = { email, name: 'Ann', role: 'user', slotsMax: null, topUp: null } as const;
    ({ id: userId } = await createUser(admin, hasher, { ...account, password }));
  });

  /** Does one of them, which stops where it first looks at a table until the other is done, or waits for it. */
  const race = async (one: Deed, other: Deed, table: keyof Schema) => {
    const { database } = admin;
    let isDone = false;
    let done: Promise<unknown> = Promise.resolve();
    const slow = pauseAfterRead(database, table, async () => {
      done = other(database).finally(() => (isDone = true));
      // On SQLite it begins when the first is done.
      if (engine.name === 'sqlite') return;
      const hasMet = async () => isDone || (await countWaiting(database)) > 0;
      await expect.poll(hasMet, patience).toBe(true);
    });
    await Promise.allSettled([one(slow)]);
    await done;
    expect(isDone).toBe(true);
  };
  const sessionsLeft = () =>
    admin.database.kysely.selectFrom('sessions').select('method').execute();
  const signIn = async () => {
    const { database, clock } = admin;
    const entered = await signInByPassword(
      { database, clock, hasher },
      { email, password, visitor },
    );
    const { opened } = must(entered.kind === 'signed_in' ? entered : null, 'a session');
    return { userId, sessionId: opened.session.id };
  };

  describe.each(races)('who signs in by $by while $meanwhile', ({ entry, ending, table }) => {
    it('is signed in nowhere afterwards', async () => {
      const end = await ending(admin, userId);
      await race(await entry(admin, userId), end, table);
      expect(await sessionsLeft()).toEqual([]);
    });
  });

  describe('a session that was ended since', () => {
    it.each<[string, Prepare]>([
      ['a password that is set anew by a link', newPasswordByLink],
      [
        'an administrator',
        async (by) => (database) =>
          endUserSessions({ ...by, database }, { user: email, sessionId: null }),
      ],
    ])(
      'leaves no access token behind that was being made, when it was by %s',
      async (_by, ending) => {
        const end = await ending(admin, userId);
        const owner = await signIn();
        const { clock } = admin;
        const make: Deed = (database) =>
          makeAccessToken({ database, clock }, { ...owner, name: 'CI', days: null });
        await race(make, end, 'access_tokens');
        expect(await sessionsLeft()).toEqual([]);
        expect(await listAccessTokens(admin.database, userId)).toEqual([]);
        await expect(make(admin.database)).rejects.toMatchObject({ code: 'unauthorized' });
      },
    );

    it('adds no authenticator, for whose code the owner would be asked', async () => {
      const { database, clock } = admin;
      const owner = await signIn();
      const settings = new SettingsCache(database);
      const deps = { database, clock, secretBox };
      const { secret } = await beginAuthenticator({ ...deps, settings }, userId);
      settings.close();
      await setPassword(admin, hasher, { user: email, password: newPassword });
      const code = generateSync({ secret, epoch: Math.floor(clock.now() / 1000) });
      await expect(confirmAuthenticator(deps, { ...owner, code })).rejects.toMatchObject({
        code: 'unauthorized',
      });
      expect(await findAuthenticator(database, userId)).toMatchObject({ confirmedAt: null });
    });

    it('makes no recovery codes, which would take the place of the owner’s', async () => {
      const { database, clock } = admin;
      const owner = await signIn();
      const code = await addSecondFactor(admin, userId);
      await setPassword(admin, hasher, { user: email, password: newPassword });
      await expect(renewRecoveryCodes({ database, clock }, owner)).rejects.toMatchObject({
        code: 'unauthorized',
      });
      const left = await database.kysely.selectFrom('recovery_codes').select('hash').execute();
      expect(left).toEqual([{ hash: hashRecoveryCode(code, userId) }]);
    });

    it('adds no passkey', async () => {
      const { database, clock } = admin;
      const owner = await signIn();
      const settings = new SettingsCache(database);
      const { secret, options } = await beginPasskey(
        { database, clock, settings },
        { userId, site },
      );
      const answer = new SoftwarePasskey().register(options, site) as Made;
      settings.close();
      await setPassword(admin, hasher, { user: email, password: newPassword });
      const given = { ...owner, site, secret, answer, name: 'Laptop' };
      await expect(addPasskey({ database, clock }, given)).rejects.toMatchObject({
        code: 'unauthorized',
      });
      expect(await listPasskeys(database, userId)).toEqual([]);
    });
  });
});

/** Connections of PostgreSQL's that wait for somebody else's transaction. */
async function countWaiting({ kysely }: Database): Promise<number> {
  const { rows } = await sql`
    select pid from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(kysely);
  return rows.length;
}
