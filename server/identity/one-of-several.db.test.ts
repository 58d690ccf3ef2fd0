/** What one person changes is theirs, and of several things of theirs it is the one that was meant. */
import { expect, it } from 'vitest';
import { testAdmin } from '../../test/support/console/test-admin.ts';
import { forEachEngine } from '../../test/support/databases/databases.ts';
import { contentsOf } from '../../test/support/history/installation.ts';
import type { Database, Trx } from '../db/db.ts';
import { openAccount } from '../flows/users/open-account.ts';
import {
  deleteAuthenticator,
  noteStep,
  resealAuthenticator,
  writeAuthenticator,
} from './authenticator-store.ts';
import { deletePasskey, deletePasskeys, insertPasskey, renamePasskey } from './passkey-store.ts';
import { replaceHash, writePassword } from './password-store.ts';
import {
  countRecoveryCodes,
  replaceRecoveryCodes,
  useRecoveryCode,
} from './recovery-code-store.ts';
import {
  deleteOtherSessions,
  deleteSession,
  insertSession,
  noteProven,
  touchSession,
} from './session-store.ts';

const nowMs = Date.UTC(2026, 10, 20);
const dayMs = 86_400_000;

/** What it does, what of a person it changes, and how. */
type Change = readonly [string, readonly string[], (trx: Trx, userId: string) => Promise<unknown>];

const changes: readonly Change[] = [
  [
    'a code of an authenticator',
    ['authenticators'],
    (trx, userId) => noteStep(trx, { userId, step: 7, nowMs }),
  ],
  [
    'an authenticator that is sealed anew',
    ['authenticators'],
    (trx, userId) => resealAuthenticator(trx, userId, 'anew'),
  ],
  ['the end of an authenticator', ['authenticators'], deleteAuthenticator],
  [
    'a recovery code',
    ['recovery_codes one'],
    (trx, userId) => useRecoveryCode(trx, { userId, hash: 'one', nowMs }),
  ],
  [
    'other recovery codes',
    ['recovery_codes one', 'recovery_codes two'],
    (trx, userId) => replaceRecoveryCodes(trx, userId, ['three']),
  ],
  [
    'the name of a passkey',
    ['passkeys phone'],
    (trx, userId) => renamePasskey(trx, { id: `${userId}-phone`, userId, name: 'New' }),
  ],
  [
    'the end of a passkey',
    ['passkeys phone'],
    (trx, userId) => deletePasskey(trx, { id: `${userId}-phone`, userId }),
  ],
  ['the end of all passkeys', ['passkeys laptop', 'passkeys phone'], deletePasskeys],
  [
    'a password',
    ['passwords'],
    (trx, userId) => writePassword(trx, { userId, hash: 'other', changedAt: nowMs }),
  ],
  [
    'a password that is hashed anew',
    ['passwords'],
    (trx, userId) => replaceHash(trx, { userId, from: 'hash', to: 'anew' }),
  ],
  [
    'a request of a session',
    ['sessions phone'],
    (trx, userId) =>
      touchSession(trx, { id: `${userId}-phone`, nowMs: nowMs + 1, expiresAt: nowMs + 2 * dayMs }),
  ],
  [
    'a proof in a session',
    ['sessions phone'],
    (trx, userId) => noteProven(trx, `${userId}-phone`, nowMs),
  ],
  [
    'the end of a session',
    ['sessions phone'],
    (trx, userId) => deleteSession(trx, { id: `${userId}-phone`, userId }),
  ],
  [
    'the end of all sessions but one',
    ['sessions laptop'],
    (trx, userId) => deleteOtherSessions(trx, { userId, keepId: `${userId}-phone` }),
  ],
];

forEachEngine((engine) => {
  it.each(changes)(
    '%s changes of one person %j, and of others nothing',
    async (_name, of, change) => {
      const database = await engine.open();
      await addPerson(database, 'ann');
      const userId = await addPerson(database, 'bob');
      await addPerson(database, 'cy');
      const before = await contentsOf(database);
      await database.transaction((trx) => change(trx, userId));
      const changed = changedOf(before, await contentsOf(database));
      expect(changed).toEqual(of.map((what) => ({ userId, what })));
    },
  );

  it('a passkey and a session are known by their owner with their ID, and by nobody else', async () => {
    const database = await engine.open();
    const [ann, bob] = [await addPerson(database, 'ann'), await addPerson(database, 'bob')];
    const before = await contentsOf(database);
    const asked = { id: `${ann}-phone`, userId: bob };
    const answers = await database.transaction(async (trx) => [
      await renamePasskey(trx, { ...asked, name: 'Taken' }),
      await deletePasskey(trx, asked),
      await deleteSession(trx, asked),
    ]);
    expect(answers).toEqual([false, false, false]);
    expect(changedOf(before, await contentsOf(database))).toEqual([]);
  });

  it('recovery codes are counted that are one person’s own and were not used', async () => {
    const database = await engine.open();
    const [ann, bob] = [await addPerson(database, 'ann'), await addPerson(database, 'bob')];
    const use = (hash: string) =>
      database.transaction((trx) => useRecoveryCode(trx, { userId: ann, hash, nowMs }));
    expect([await use('one'), await use('one'), await use('three')]).toEqual([true, false, false]);
    const counted = [ann, bob].map((userId) => countRecoveryCodes(database, userId));
    expect(await Promise.all(counted)).toEqual([1, 2]);
  });
});

/** With two of each thing of which there may be several; all have the same names and hashes, where they may. */
async function addPerson(database: Database, name: string): Promise<string> {
  const account = { email: `${name}@example.com`, name, role: 'user' } as const;
  const opening = { ...account, slotsMax: null, topUp: null };
  const { id: userId } = await openAccount(testAdmin(database), opening);
  await database.transaction(async (trx) => {
    const begun = { createdAt: nowMs, confirmedAt: null, lastStep: null };
    await writeAuthenticator(trx, { userId, sealedSecret: 'sealed', ...begun });
    await replaceRecoveryCodes(trx, userId, ['one', 'two']);
    await writePassword(trx, { userId, hash: 'hash', changedAt: nowMs - 1 });
    for (const device of ['laptop', 'phone']) {
      const id = `${userId}-${device}`;
      const passkey = { id, userId, name: 'Mine', publicKey: '', transports: [], counter: 0 };
      await insertPasskey(trx, { ...passkey, createdAt: nowMs, lastUsedAt: null });
      const session = { id, userId, method: 'password', userAgent: null, address: null } as const;
      const times = { createdAt: nowMs, lastSeenAt: nowMs, expiresAt: nowMs + dayMs };
      await insertSession(trx, { ...session, ...times, provenAt: null }, `hash of ${id}`);
    }
  });
  return userId;
}

/** What there is no more as it was, by table and name, of whoever it is. */
function changedOf(before: Contents, after: Contents): readonly { userId: string; what: string }[] {
  return Object.entries(before).flatMap(([table, rows]) =>
    rows
      .filter((row) => !after[table]?.includes(row))
      .map((text) => {
        // Written by `contentsOf`.
        const row = Object.fromEntries(JSON.parse(text) as [string, string][]);
        const userId = row['user_id'] ?? '';
        const name = (row['id'] ?? row['hash'] ?? '').slice(row['id'] ? userId.length + 1 : 0);
        return { userId, what: table === 'passwords' ? table : `${table} ${name}`.trim() };
      }),
  );
}

type Contents = Awaited<ReturnType<typeof contentsOf>>;
