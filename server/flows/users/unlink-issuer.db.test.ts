import { expect, it } from 'vitest';
import { testAdmin } from '../../../test/support/console/test-admin.ts';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import { listAccessTokens } from '../../identity/access-token-store.ts';
import {
  insertOutsideIdentity,
  listOutsideIdentities,
} from '../../identity/outside-identity-store.ts';
import { PasswordHasher } from '../../identity/password-hasher.ts';
import { must } from '../../lib/assert.ts';
import { makeAccessToken } from '../sign-in/change-access-tokens.ts';
import { signInByPassword } from '../sign-in/sign-in-by-password.ts';
import { createUser } from './create-user.ts';
import { unlinkIssuer } from './unlink-issuer.ts';

const hasher = new PasswordHasher();
const email = 'ann@example.com';
const password = 'a password of three words';
const visitor = { userAgent: null, address: null };

forEachEngine((engine) => {
  it('an account that is given over keeps neither sessions nor access tokens of its owner', async () => {
    const admin = testAdmin(await engine.open());
    const { database, clock } = admin;
    const account = { email, name: 'Ann', role: 'user', slotsMax: null, topUp: null } as const;
    const { id: userId } = await createUser(admin, hasher, { ...account, password });
    const known = { issuer: 'https://id.example.com', subject: 'ann', userId, nowMs: clock.now() };
    await database.transaction((trx) => insertOutsideIdentity(trx, known));
    const entered = await signInByPassword(
      { database, clock, hasher },
      { email, password, visitor },
    );
    const { opened } = must(entered.kind === 'signed_in' ? entered : null, 'a session');
    const owner = { userId, sessionId: opened.session.id };
    await makeAccessToken({ database, clock }, { ...owner, name: 'CI', days: null });

    await unlinkIssuer(admin, email);

    expect(await listOutsideIdentities(database, userId)).toEqual([]);
    expect(await database.kysely.selectFrom('sessions').select('id').execute()).toEqual([]);
    expect(await listAccessTokens(database, userId)).toEqual([]);
  });
});
