/** What is over goes, whether or not its owner comes back. */
import { beforeEach, describe, expect, it } from 'vitest';
import { zero } from '../../../shared/money.ts';
import { testAdmin } from '../../../test/support/console/test-admin.ts';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { addSpender } from '../../../test/support/money/spending.ts';
import { readDoneUntil } from '../../db/chores.ts';
import type { Database } from '../../db/db.ts';
import { openChallenge } from '../../identity/challenge-store.ts';
import { lockLimits } from '../../identity/try-limit.ts';
import { claimTries } from '../../identity/try-store.ts';
import { createLogger } from '../../lib/logger.ts';
import { readSettings } from '../../settings/settings-store.ts';
import { openSession } from '../sign-in/open-session.ts';
import { inviteUser, revokeInvitation } from '../users/invite-user.ts';
import { HistoryPruner } from './prune-history.ts';

const dayMs = 24 * 3_600_000;
const visitor = { userAgent: 'Browser/7.0', address: '203.0.113.77' };

forEachEngine((engine) => {
  let database: Database;
  let clock: ManualClock;

  beforeEach(async () => {
    database = await engine.open();
    clock = new ManualClock();
  });

  /** As often as it takes: a clock that is far ahead of the last time is not believed at once. */
  const prune = async (kept: { auditDaysKept?: number } = {}) => {
    const pruner = new HistoryPruner({
      database,
      // It does not wait between two pieces.
      clock: { now: () => clock.now(), monotonic: () => 0, sleep: async () => {} },
      now: async () => clock.now(),
      log: createLogger('silent'),
      settings: { current: async () => ({ ...(await readSettings(database)), ...kept }) },
      processId: 'proc_test',
    });
    do await pruner.pruneDue();
    while ((await readDoneUntil(database, 'forget_ended')) !== clock.now());
  };
  const open = (userId: string) =>
    database.transaction((trx) =>
      openSession(trx, { userId, method: 'password', visitor, nowMs: clock.now() }),
    );
  const count = async (table: 'sessions' | 'challenges' | 'sign_in_failures') =>
    (await database.kysely.selectFrom(table).selectAll().execute()).length;

  it('sessions with their addresses, more than a batch of them, as soon as they are over', async () => {
    for (let n = 0; n < 11; n++) {
      const { userId } = await addSpender(database, '0');
      for (let nth = 0; nth < 10; nth++) await open(userId);
    }
    clock.advance(1);
    const { userId } = await addSpender(database, '0');
    await open(userId);
    clock.advance(14 * dayMs - 1);
    await prune();
    expect(await count('sessions')).toBe(1);
    clock.advance(1);
    await prune();
    expect(await count('sessions')).toBe(0);
  });

  it('questions to browsers, with the address of who wanted an account', async () => {
    const data = { email: 'ada@example.com' };
    await database.transaction((trx) =>
      openChallenge(trx, { kind: 'registration', userId: null, data, nowMs: clock.now() }),
    );
    clock.advance(3_600_000 - 1);
    await prune();
    expect(await count('challenges')).toBe(1);
    clock.advance(1);
    await prune();
    expect(await count('challenges')).toBe(0);
  });

  it('failures to sign in, when they no longer count', async () => {
    await claimTries(database, [{ kind: 'account', what: 'ada@example.com' }], clock.now());
    clock.advance(lockLimits.forgetMs - 1);
    await prune();
    expect(await count('sign_in_failures')).toBe(1);
    clock.advance(1);
    await prune();
    expect(await count('sign_in_failures')).toBe(0);
  });

  describe('whom an invitation was for', () => {
    const invite = async (email: string) =>
      (await inviteUser({ ...testAdmin(database), clock }, { email, role: 'user', topUp: zero }))
        .invitation;
    const invited = async () =>
      (await database.kysely.selectFrom('invitations').select('email').orderBy('id').execute()).map(
        ({ email }) => email,
      );

    it('goes when the audit of its end does', async () => {
      const { id } = await invite('ada@example.com');
      await revokeInvitation({ ...testAdmin(database), clock }, id);
      clock.advance(1);
      await invite('grace@example.com');
      clock.advance(40 * dayMs);
      await prune({ auditDaysKept: 40 });
      expect(await invited()).toEqual(['ada@example.com', 'grace@example.com']);
      clock.advance(dayMs);
      await prune({ auditDaysKept: 40 });
      expect(await invited()).toEqual([null, 'grace@example.com']);
      clock.advance(7 * dayMs);
      await prune({ auditDaysKept: 40 });
      expect(await invited()).toEqual([null, null]);
    });

    it('stays where the audit is kept for ever', async () => {
      await invite('ada@example.com');
      clock.advance(5_000 * dayMs);
      await prune({ auditDaysKept: 0 });
      expect(await invited()).toEqual(['ada@example.com']);
    });
  });
});
