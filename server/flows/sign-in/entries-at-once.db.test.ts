/** Two browsers that come in at the same moment, by what lets in one, or both. */
import { expect, it } from 'vitest';
import { zero } from '../../../shared/money.ts';
import { countChallenges } from '../../../test/support/console/count-challenges.ts';
import { SoftwarePasskey } from '../../../test/support/console/software-passkey.ts';
import { testAdmin } from '../../../test/support/console/test-admin.ts';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import {
  interceptTransactions,
  pauseAfterRead,
} from '../../../test/support/databases/intercepted-database.ts';
import type { Database } from '../../db/db.ts';
import type { Schema } from '../../db/schema.ts';
import { openChallenge } from '../../identity/challenge-store.ts';
import { OutsideIssuer, type OutsidePerson } from '../../identity/outside-issuer.ts';
import { askToRegister, checkRegistration } from '../../identity/passkey-ceremony.ts';
import { insertPasskey, listPasskeys } from '../../identity/passkey-store.ts';
import { PasswordHasher } from '../../identity/password-hasher.ts';
import { must } from '../../lib/assert.ts';
import { SettingsCache } from '../../settings/settings-cache.ts';
import { createUser } from '../users/create-user.ts';
import { inviteUser } from '../users/invite-user.ts';
import { acceptInvitation } from './accept-invitation.ts';
import { openSession } from './open-session.ts';
import { proveByPasskey } from './prove-presence.ts';
import { finishIssuerSignIn } from './sign-in-by-issuer.ts';
import { askPasskey, signInByPasskey } from './sign-in-by-passkey.ts';

const hasher = new PasswordHasher();
const visitor = { userAgent: null, address: null };
const email = 'ann@example.com';
const issuer = 'https://login.example.com';

/** Everybody who comes back from it is the same person, whose address it has seen. */
class OneIssuer extends OutsideIssuer {
  override async finish(): Promise<OutsidePerson> {
    const person = { issuer, subject: 'ann', name: null, seenAgoMs: null };
    return { ...person, email, emailVerified: true };
  }
}

forEachEngine((engine) => {
  /** The first stops where it has looked at a table until the second is done, which on SQLite begins behind it. */
  const bothEnter = async (
    database: Database,
    table: keyof Schema,
    enter: (database: Database, number: number) => Promise<{ kind: string }>,
  ) => {
    const come = (to: Database, number: number) =>
      enter(to, number).catch((error: unknown) => ({ kind: 'failed', error }));
    const second: ReturnType<typeof come>[] = [];
    const slow = pauseAfterRead(database, table, async () => {
      second.push(come(database, 2));
      if (engine.name === 'postgres') await Promise.all(second);
    });
    return [await come(slow, 1), ...(await Promise.all(second))];
  };

  it('an invitation opens one account, with its money once', async () => {
    const database = await engine.open();
    const admin = testAdmin(database);
    const { clock } = admin;
    const { secret } = await inviteUser(admin, { email: null, role: 'user', topUp: zero });
    const came = await bothEnter(database, 'invitations', async (slow, number) => {
      const wish = { secret, email: `new${number}@example.com`, name: 'New', visitor };
      const password = 'a password of their own';
      await acceptInvitation({ database: slow, clock, hasher }, { ...wish, password });
      return { kind: 'signed_in' };
    });
    expect(came).toContainEqual({
      kind: 'failed',
      error: expect.objectContaining({ code: 'not_found' }),
    });
    expect(await database.kysely.selectFrom('users').select('email').execute()).toHaveLength(1);
  });

  it('whoever comes back from an issuer twice is let in twice, also where that links their account', async () => {
    const database = await engine.open();
    const admin = testAdmin(database);
    const { clock } = admin;
    const account = { email, name: 'Ann', role: 'user', slotsMax: null, topUp: null } as const;
    await createUser(admin, hasher, { ...account, password: null });
    const outside = new OneIssuer(
      { issuer, clientId: 'tintype', clientSecret: null, scopes: '' },
      clock,
    );
    const settings = new SettingsCache(database);
    const visit = { state: '', nonce: '', verifier: '', redirectUri: 'https://images.example.com' };
    const data = { visit, next: '/', invitationHash: null };
    const came = await bothEnter(database, 'outside_identities', async (slow) => {
      const secret = await database.transaction((trx) =>
        openChallenge(trx, { kind: 'oidc', userId: null, data, nowMs: clock.now() }),
      );
      const given = { secret, answer: new URLSearchParams(), visitor };
      return finishIssuerSignIn({ database: slow, clock, issuer: outside, settings }, given);
    });
    settings.close();
    expect(came).toMatchObject([{ kind: 'signed_in' }, { kind: 'signed_in' }]);
  });

  it.each([
    ['signs in', 'passkey_sign_in'],
    ['proves who is there', 'passkey_proof'],
  ] as const)('of a passkey and its copy, one %s', async (_what, purpose) => {
    const database = await engine.open();
    const admin = testAdmin(database);
    const { clock } = admin;
    const deps = { database, clock };
    const account = { email, name: 'Ann', role: 'user', slotsMax: null, topUp: null } as const;
    const { id: userId } = await createUser(admin, hasher, { ...account, password: null });
    const passkey = await addPasskeyOf(database, { id: userId, email, name: 'Ann' });
    const asUser = purpose === 'passkey_proof' ? userId : null;
    /** Both are at the same number of uses. */
    const answerOf = async () => {
      passkey.counter = 7;
      const { secret, options } = await askPasskey(deps, { site, purpose, userId: asUser });
      return { site, secret, answer: passkey.use(options, site) as Used };
    };
    const opened = await database.transaction((trx) =>
      openSession(trx, { userId, method: 'oidc', visitor, nowMs: clock.now(), provenAt: null }),
    );
    const sessionId = opened.session.id;
    const use = (to: Database, given: Awaited<ReturnType<typeof answerOf>>) =>
      purpose === 'passkey_proof'
        ? proveByPasskey({ database: to, clock }, { ...given, userId, sessionId })
        : signInByPasskey({ database: to, clock }, { ...given, visitor });
    const [original, copy] = [await answerOf(), await answerOf()];
    const slow = beforeUse(database, async () => void (await use(database, original)));
    await expect(use(slow, copy)).rejects.toThrow('This passkey was not accepted.');
    expect(await listPasskeys(database, userId)).toMatchObject([{ counter: 8 }]);
  });
});

const site = { origin: 'https://images.example.com' };

/** What a browser answers has the form of its standard. */
type Used = Parameters<typeof signInByPasskey>[1]['answer'];
type Made = Parameters<typeof checkRegistration>[0]['answer'];

async function addPasskeyOf(
  database: Database,
  user: { id: string; email: string; name: string },
): Promise<SoftwarePasskey> {
  const passkey = new SoftwarePasskey();
  const question = await askToRegister({ site, installation: 'Images', user, known: [] });
  const answer = passkey.register(question, site) as Made;
  const checked = await checkRegistration({ site, challenge: question.challenge, answer });
  const times = { createdAt: 0, lastUsedAt: null };
  await database.transaction((trx) =>
    insertPasskey(trx, {
      ...must(checked, 'a passkey'),
      userId: user.id,
      name: 'Laptop',
      ...times,
    }),
  );
  return passkey;
}

/** `between` is done when a passkey was found right, and before its use is noted. */
function beforeUse(database: Database, between: () => Promise<void>): Database {
  let isTaken = false;
  let isDone = false;
  return {
    ...interceptTransactions(database, {}),
    transaction: async (work) => {
      if (isTaken && !isDone) {
        isDone = true;
        await between();
      }
      return database.transaction(async (trx) => {
        const before = await countChallenges(trx);
        const result = await work(trx);
        isTaken ||= (await countChallenges(trx)) < before;
        return result;
      });
    },
  };
}
