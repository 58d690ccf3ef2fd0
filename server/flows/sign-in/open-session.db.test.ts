import { expect, it } from 'vitest';
import { testAdmin } from '../../../test/support/console/test-admin.ts';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import { sessionLimits } from '../../identity/session.ts';
import { openAccount } from '../users/open-account.ts';
import { openSession } from './open-session.ts';

forEachEngine((engine) => {
  it('stores so much of what a browser says of itself, and nothing of sessions that are over', async () => {
    const database = await engine.open();
    const admin = testAdmin(database);
    const account = { email: 'ann@example.com', name: 'Ann', role: 'user' } as const;
    const { id: userId } = await openAccount(admin, { ...account, slotsMax: null, topUp: null });
    const open = async (userAgent: string) => {
      const visitor = { userAgent, address: null };
      const wish = { userId, method: 'password', visitor, nowMs: admin.clock.now() } as const;
      await database.transaction((trx) => openSession(trx, wish));
    };
    const stored = () => database.kysely.selectFrom('sessions').select('user_agent').execute();
    await open('the first');
    admin.clock.advance(sessionLimits.idleMs);
    await open('x'.repeat(sessionLimits.userAgentCharactersMax + 1));
    const userAgent = 'x'.repeat(sessionLimits.userAgentCharactersMax);
    expect(await stored()).toEqual([{ user_agent: userAgent }]);
  });
});
