import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { amount, type TestAdmin, testAdmin } from '../../../test/support/console/test-admin.ts';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import { interceptTransactions } from '../../../test/support/databases/intercepted-database.ts';
import { listAuditEntries } from '../../audit/audit-store.ts';
import { topUpLimitsOf } from '../../settings/settings.ts';
import { SettingsCache } from '../../settings/settings-cache.ts';
import { readSettings } from '../../settings/settings-store.ts';
import type { Admin } from '../admin-change.ts';
import { openAccount } from '../users/open-account.ts';
import { changeSetting, changeSettings } from './change-setting.ts';

forEachEngine((engine) => {
  it('has the defaults where nothing was changed', async () => {
    expect(await readSettings(await engine.open())).toEqual({
      slotsPerUser: 16,
      currency: 'USD',
      abandonedRequestsPerUser: 3,
      lowBalance: '0.00',
      noticeWebhookUrl: '',
      usageDaysKept: 400,
      auditDaysKept: 800,
      installationName: 'Tintype',
      registration: 'invitation',
      defaultZone: 'UTC',
      defaultLanguage: 'en',
      contact: '',
      topUpMin: '5.00',
      topUpMax: '500.00',
      topUpText: '',
    });
  });

  it('changes a setting, writes down from what to what, and caches follow', async () => {
    const { admin } = await open();
    const cache = new SettingsCache(admin.database);
    expect((await cache.current()).slotsPerUser).toBe(16);
    expect(await changeSetting(admin, { key: 'slotsPerUser', value: '32' })).toBe(32);
    expect(await cache.current()).toMatchObject({ slotsPerUser: 32, currency: 'USD' });
    admin.clock.advance(1);
    await changeSetting(admin, { key: 'slotsPerUser', value: 8 });
    expect((await entriesOf(admin))[0]).toMatchObject({
      action: 'setting.change',
      subject: 'slots_per_user',
      detail: { from: 32, to: 8 },
    });
  });

  it('writes nothing for a value it has already', async () => {
    const { admin } = await open();
    await changeSetting(admin, { key: 'slotsPerUser', value: 16 });
    expect(await entriesOf(admin)).toEqual([]);
  });

  it('refuses a value out of range', async () => {
    const { admin } = await open();
    await expect(changeSetting(admin, { key: 'slotsPerUser', value: '0' })).rejects.toThrow(
      'slots_per_user must be a whole number from 1 to 10000.',
    );
    expect((await readSettings(admin.database)).slotsPerUser).toBe(16);
  });

  it('mends a stored value that is not valid any more', async () => {
    const { admin } = await open();
    await admin.database.transaction((trx) =>
      trx.kysely
        .insertInto('settings')
        .values({ name: 'slots_per_user', value: '"many"' })
        .execute(),
    );
    await expect(readSettings(admin.database)).rejects.toThrow(
      'set it again with tintype settings set slots_per_user',
    );
    await changeSetting(admin, { key: 'slotsPerUser', value: 20 });
    expect((await readSettings(admin.database)).slotsPerUser).toBe(20);
  });

  it('refuses a least payment above the largest, unless both change together', async () => {
    const { admin } = await open();
    const refused = 'top_up_min must not be more than top_up_max';
    await expect(changeSetting(admin, { key: 'topUpMin', value: '600' })).rejects.toThrow(refused);
    await expect(changeSetting(admin, { key: 'topUpMax', value: '4.99' })).rejects.toThrow(refused);
    expect(await readSettings(admin.database)).toMatchObject({
      topUpMin: '5.00',
      topUpMax: '500.00',
    });
    await changeSettings(admin, [
      { key: 'topUpMin', value: '600' },
      { key: 'topUpMax', value: '600' },
    ]);
    expect(await readSettings(admin.database)).toMatchObject({
      topUpMin: '600.00',
      topUpMax: '600.00',
    });
  });

  it('refuses them the wrong way round from two administrators at once', async () => {
    const { admin } = await open();
    const settled = await Promise.allSettled([
      changeSetting(admin, { key: 'topUpMin', value: '400' }),
      changeSetting(admin, { key: 'topUpMax', value: '300' }),
    ]);
    expect(settled.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const { min, max } = topUpLimitsOf(await readSettings(admin.database));
    expect(min).toBeLessThanOrEqual(max);
  });

  describe('the currency', () => {
    it('may change while no money has moved', async () => {
      const { admin } = await open();
      await changeSetting(admin, { key: 'currency', value: 'EUR' });
      expect((await readSettings(admin.database)).currency).toBe('EUR');
    });

    it('is fixed from the first transaction on', async () => {
      const { admin } = await open();
      await openAlice(admin);
      await expect(changeSetting(admin, { key: 'currency', value: 'EUR' })).rejects.toThrow(
        'The currency cannot change any more',
      );
      expect((await readSettings(admin.database)).currency).toBe('USD');
      expect(await changeSetting(admin, { key: 'currency', value: 'USD' })).toBe('USD');
    });

    it('is fixed by a first transaction that is under way', async () => {
      const { admin } = await open();
      const { promise: isWritten, resolve: written } = Promise.withResolvers<void>();
      const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>();
      const before = async <T>(done: T) => {
        written();
        await mayCommit;
        return done;
      };
      const database = interceptTransactions(admin.database, { before });
      const topUp = openAlice({ ...admin, database });
      await isWritten;
      const change = Promise.allSettled([changeSetting(admin, { key: 'currency', value: 'EUR' })]);
      // It waits to see what the other one does.
      await Promise.race([change, setTimeout(100)]);
      commit();
      await topUp;
      expect(await change).toMatchObject([
        { reason: { message: expect.stringContaining('The currency cannot change any more') } },
      ]);
    });
  });

  async function openAlice(admin: Admin) {
    await openAccount(admin, {
      email: 'alice@example.com',
      name: 'Alice',
      role: 'user',
      slotsMax: null,
      topUp: amount('1'),
    });
  }

  async function open(): Promise<{ admin: TestAdmin }> {
    return { admin: testAdmin(await engine.open()) };
  }
});

async function entriesOf({ database }: TestAdmin) {
  return (await listAuditEntries(database, {}, { after: null, limit: 9 })).items;
}
