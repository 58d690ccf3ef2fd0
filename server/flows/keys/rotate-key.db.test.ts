import { expect, it } from 'vitest';
import { testAdmin } from '../../../test/support/console/test-admin.ts';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import { pauseAfterRead } from '../../../test/support/databases/intercepted-database.ts';
import { addSpender } from '../../../test/support/money/spending.ts';
import { keyLimits } from '../../accounts/api-key.ts';
import { rotateKey } from './rotate-key.ts';

forEachEngine((engine) => {
  it('a secret that nobody has seen is replaced once: the other of two is told that there is another', async () => {
    const database = await engine.open();
    const admin = testAdmin(database);
    const { apiKeyId, userId } = await addSpender(database, '1', 10);
    const choice = { keyId: apiKeyId, userId };
    const rotation = { prefix: 'tin', overlapMs: 3_600_000 };
    const { key: unseen } = await rotateKey(admin, choice, rotation);
    const replacement = { ...rotation, inPlaceOf: unseen.lastFour };
    let other: Promise<unknown> = Promise.resolve();
    // SQLite has one writer: there the other begins when this one is done.
    const slow = pauseAfterRead(database, 'api_keys', async () => {
      other = rotateKey(admin, choice, replacement);
      if (engine.name === 'postgres') await other;
    });
    const [first] = await Promise.allSettled([
      rotateKey({ ...admin, database: slow }, choice, replacement),
    ]);
    const [second] = await Promise.allSettled([other]);
    const outcomes = [first, second];
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { param: 'in_place_of' },
    });
  });

  it('lets the secret of before go on for a day at the most', async () => {
    const database = await engine.open();
    const { apiKeyId: keyId, userId } = await addSpender(database, '1', 10);
    const rotate = async (overlapMs: number) =>
      rotateKey(testAdmin(database), { keyId, userId }, { prefix: 'tin', overlapMs });
    await rotate(keyLimits.overlapMsMax);
    for (const overlapMs of [keyLimits.overlapMsMax + 1, -1, 0.5, Number.NaN]) {
      await expect(rotate(overlapMs)).rejects.toMatchObject({ param: 'overlap' });
    }
  });
});
