/** What every page has something to show of: thirty days of requests, money and changes. */
import { requireUser } from '../../../server/accounts/user-store.ts';
import { makeDemoHistory } from '../../../server/cli/demo/demo-history.ts';
import { issuePasswordReset } from '../../../server/flows/sign-in/reset-password.ts';
import { inviteUser } from '../../../server/flows/users/invite-user.ts';
import { openAccount } from '../../../server/flows/users/open-account.ts';
import { zero } from '../../../shared/money.ts';
import type { TestApp } from '../../support/app.ts';
import { testAccess } from '../../support/console/test-admin.ts';

export interface Demo {
  user: DemoPerson;
  admin: DemoPerson;
  /** Who has no wallet to speak of, no key and no request. */
  newcomer: { id: string };
  /** Secrets of links that are mailed. */
  invitation: string;
  passwordReset: string;
}

export interface DemoPerson {
  id: string;
  keyId: string;
  traceId: string;
  transactionId: string;
}

const people = {
  demo: { email: 'demo@example.com', name: 'Demo' },
  admin: { email: 'admin@example.com', name: 'Admin' },
};

/** For an app that starts bare. */
export async function makeDemo(app: TestApp): Promise<Demo> {
  const { database, admin } = app;
  const access = testAccess();
  const nowMs = admin.clock.now();
  await makeDemoHistory({ database, access, people, keyPrefix: 'tin', nowMs });
  const { secret } = await inviteUser(admin, { email: null, role: 'user', topUp: zero });
  return {
    user: await findPerson(app, people.demo.email),
    admin: await findPerson(app, people.admin.email),
    newcomer: await openAccount(admin, {
      email: 'newcomer@example.com',
      name: 'Newcomer',
      role: 'user',
      slotsMax: null,
      topUp: null,
    }),
    invitation: secret,
    passwordReset: await issuePasswordReset(admin, people.demo.email),
  };
}

async function findPerson({ database }: TestApp, email: string): Promise<DemoPerson> {
  const { id } = await requireUser(database, email);
  const { kysely } = database;
  const charge = await kysely
    .selectFrom('wallet_transactions')
    .select(['id', 'trace_id'])
    .where('user_id', '=', id)
    .where('kind', '=', 'charge')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  const key = await kysely
    .selectFrom('api_keys')
    .select('id')
    .where('user_id', '=', id)
    .orderBy('id')
    .executeTakeFirstOrThrow();
  return { id, keyId: key.id, traceId: charge.trace_id ?? '', transactionId: charge.id };
}
