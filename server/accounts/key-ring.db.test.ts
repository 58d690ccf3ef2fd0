import { expect, it } from 'vitest';
import { type TestAdmin, testAdmin } from '../../test/support/console/test-admin.ts';
import { forEachEngine } from '../../test/support/databases/databases.ts';
import { heardOf, watchReads } from '../../test/support/databases/watched-database.ts';
import { editKey } from '../flows/keys/edit-key.ts';
import { enableKey } from '../flows/keys/enable-key.ts';
import { type IssuedKey, issueKey } from '../flows/keys/issue-key.ts';
import { revokeKey } from '../flows/keys/revoke-key.ts';
import { rotateKey } from '../flows/keys/rotate-key.ts';
import { editUser } from '../flows/users/edit-user.ts';
import { setUserEnabled } from '../flows/users/enable-user.ts';
import { openAccount } from '../flows/users/open-account.ts';
import { KeyRing } from './key-ring.ts';
import { makeSecret } from './key-secret.ts';

const email = 'alice@example.com';

forEachEngine((engine) => {
  it('finds what a key stands for', async () => {
    const { admin, ring } = await open();
    const { key, secret } = await issue(admin, { models: ['gen-image-2'] });
    await editUser(admin, email, { slotsMax: 3 });
    expect(await ring.find(secret)).toEqual({
      apiKeyId: key.id,
      userId: key.userId,
      slotsMax: 3,
      models: ['gen-image-2'],
      expiresAt: null,
      addresses: null,
      zone: 'UTC',
    });
  });

  it('asks the database about a key once, known or not', async () => {
    const { admin, reads, ring } = await open();
    const { secret } = await issue(admin);
    const unknown = makeSecret('tin');
    expect(await ring.find(secret)).not.toBeNull();
    expect(await ring.find(unknown)).toBeNull();
    const count = reads.count;
    expect(await ring.find(secret)).not.toBeNull();
    expect(await ring.find(unknown)).toBeNull();
    expect(reads.count).toBe(count);
  });

  it('refuses what cannot be a key without asking', async () => {
    const { admin, reads, ring } = await open();
    const { secret } = await issue(admin);
    const last = secret.endsWith('0') ? '1' : '0';
    const count = reads.count;
    expect(await ring.find(`${secret.slice(0, -1)}${last}`)).toBeNull();
    expect(reads.count).toBe(count);
  });

  it('refuses a key from the moment it expires', async () => {
    const { admin, ring } = await open();
    const { secret } = await issue(admin, { expiresAt: admin.clock.now() + 1_000 });
    admin.clock.advance(999);
    expect(await ring.find(secret)).not.toBeNull();
    admin.clock.advance(1);
    expect(await ring.find(secret)).toBeNull();
  });

  it('refuses a secret of before with its key, where that ends before the overlap', async () => {
    const { admin, ring } = await open();
    const { key, secret } = await issue(admin, { expiresAt: admin.clock.now() + 1_000 });
    const choice = { keyId: key.id, userId: null };
    await rotateKey(admin, choice, { prefix: 'tin', overlapMs: 3_600_000 });
    admin.clock.advance(999);
    expect(await ring.find(secret)).toMatchObject({ apiKeyId: key.id });
    admin.clock.advance(1);
    expect(await ring.find(secret)).toBeNull();
  });

  it('refuses a revoked key at its next use', async () => {
    const { admin, ring } = await open();
    const { key, secret } = await issue(admin);
    expect(await ring.find(secret)).not.toBeNull();
    await revokeKey(admin, { keyId: key.id, userId: null });
    expect(await ring.find(secret)).toBeNull();
  });

  it('tells what a key may do from the moment that it, or its user, was changed', async () => {
    const { admin, ring } = await open();
    const { key, secret } = await issue(admin);
    const addresses = ['192.0.2.7'];
    const expiresAt = admin.clock.now() + 1_000;
    expect(await ring.find(secret)).toMatchObject({ addresses: null, expiresAt: null });
    await editKey(admin, { keyId: key.id, userId: null }, { addresses, expiresAt });
    expect(await ring.find(secret)).toMatchObject({ addresses, expiresAt });
    await editUser(admin, email, { slotsMax: 0 });
    expect(await ring.find(secret)).toMatchObject({ slotsMax: 0 });
  });

  it('refuses a secret that was in use from the moment that another takes its place', async () => {
    const { admin, ring } = await open();
    const { key, secret } = await issue(admin);
    expect(await ring.find(secret)).not.toBeNull();
    const choice = { keyId: key.id, userId: null };
    const rotated = await rotateKey(admin, choice, { prefix: 'tin', overlapMs: 0 });
    expect(await ring.find(secret)).toBeNull();
    expect(await ring.find(rotated.secret)).toMatchObject({ apiKeyId: key.id });
  });

  it('refuses a disabled key at its next use, and takes it again', async () => {
    const { admin, ring } = await open();
    const { key, secret } = await issue(admin);
    expect(await ring.find(secret)).not.toBeNull();
    await enableKey(admin, { keyId: key.id, userId: null }, false);
    expect(await ring.find(secret)).toBeNull();
    await enableKey(admin, { keyId: key.id, userId: null }, true);
    expect(await ring.find(secret)).not.toBeNull();
  });

  it('refuses the keys of a disabled user, and takes them again', async () => {
    const { admin, ring } = await open();
    const { secret } = await issue(admin);
    expect(await ring.find(secret)).not.toBeNull();
    await setUserEnabled(admin, email, false);
    expect(await ring.find(secret)).toBeNull();
    await setUserEnabled(admin, email, true);
    expect(await ring.find(secret)).not.toBeNull();
  });

  it('hears of a revocation by another process', async () => {
    const { admin, database, ring } = await open();
    const { key, secret } = await issue(admin);
    expect(await ring.find(secret)).not.toBeNull();
    const elsewhere = { ...admin, database: engine.openAgain(database) };
    await heardOf(database, 'accounts', () =>
      revokeKey(elsewhere, { keyId: key.id, userId: null }),
    );
    expect(await ring.find(secret)).toBeNull();
  });

  const onlySqlite = {
    skip: engine.name !== 'sqlite',
    meta: { skippedBecause: 'concerns SQLite, which is asked at each use of a key' },
  };
  it('refuses a key that another process revoked at its very next use', onlySqlite, async () => {
    const { admin, database, ring } = await open();
    const { key, secret } = await issue(admin);
    expect(await ring.find(secret)).not.toBeNull();
    const elsewhere = { ...admin, database: engine.openAgain(database) };
    await revokeKey(elsewhere, { keyId: key.id, userId: null });
    expect(await ring.find(secret)).toBeNull();
  });

  it('does not keep what it read before a change came in between', async () => {
    const { admin, reads, ring } = await open();
    const { key, secret } = await issue(admin);
    const answer = reads.holdAnswers();
    const early = ring.find(secret);
    await revokeKey(admin, { keyId: key.id, userId: null });
    answer();
    // Asked before the revocation, so either answer is right; what counts is what stays.
    await early;
    expect(await ring.find(secret)).toBeNull();
  });

  async function open() {
    const database = await engine.open();
    const admin = testAdmin(database);
    await openAccount(admin, { email, name: 'Alice', role: 'user', slotsMax: null, topUp: null });
    const reads = watchReads(database);
    return { admin, database, reads, ring: new KeyRing(reads.database, admin.clock) };
  }
});

function issue(
  admin: TestAdmin,
  changes: { models?: readonly string[]; expiresAt?: number } = {},
): Promise<IssuedKey> {
  const { models = null, expiresAt = null } = changes;
  return issueKey(admin, { user: email, name: 'test', prefix: 'tin', models, expiresAt });
}
