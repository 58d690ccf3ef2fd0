/** One of each thing that belongs to a user and has an address in the console's API. */

import type { OwnedThing } from '../../../server/http/console/console-route.ts';
import { insertAccessToken } from '../../../server/identity/access-token-store.ts';
import { passkeyHandle } from '../../../server/identity/passkey.ts';
import { insertPasskey } from '../../../server/identity/passkey-store.ts';
import { listSessions } from '../../../server/identity/session-store.ts';
import { must } from '../../../server/lib/assert.ts';
import { makeId } from '../../../server/lib/ids.ts';
import { insertPayment } from '../../../server/payments/payment-store.ts';
import { listTransactions } from '../../../server/wallets/transaction-store.ts';
import type { Api } from '../callers/api.ts';
import { generation } from '../callers/ways-to-ask.ts';
import type { ConsoleUser } from './console-user.ts';
import { amount } from './test-admin.ts';

/** The IDs of things that `user` has, made where they have none. */
export const ownedThingsOf: Readonly<
  Record<OwnedThing, (api: Api, user: ConsoleUser) => Promise<string>>
> = {
  access_token: async ({ app: { database, admin } }, { id: userId }) => {
    const nowMs = admin.clock.now();
    const id = makeId('pat', nowMs);
    const token = { id, userId, name: 'script', lastFour: '0000', createdAt: nowMs };
    const unused = { expiresAt: null, lastUsedAt: null, revokedAt: null };
    await database.transaction((trx) => insertAccessToken(trx, { ...token, ...unused }, id));
    return id;
  },
  api_key: async (_api, { apiKeyId }) => apiKeyId,
  passkey: async ({ app: { database, admin } }, { id: userId }) => {
    const passkey = {
      id: `passkey-of-${userId}`,
      userId,
      name: 'phone',
      publicKey: 'AAAA',
      counter: 0,
      transports: [],
      createdAt: admin.clock.now(),
      lastUsedAt: null,
    };
    await database.transaction((trx) => insertPasskey(trx, passkey));
    return passkeyHandle(passkey.id);
  },
  payment: async ({ app: { database, admin } }, { id: userId }) => {
    const createdAt = admin.clock.now();
    const id = makeId('pay', createdAt);
    const order = { id, userId, provider: 'stripe', amount: amount('10'), currency: 'USD' };
    await database.transaction((trx) =>
      insertPayment(trx, { ...order, paymentId: null, createdAt, expiresAt: null }),
    );
    return id;
  },
  session: async ({ app: { database, admin } }, { id: userId }) => {
    const [session] = await listSessions(database, { userId, nowMs: admin.clock.now() });
    return must(session, 'the session of somebody who is signed in').id;
  },
  transaction: async ({ app: { database } }, { id: userId }) => {
    const [entry] = await listTransactions(database, { userId, limit: 1 });
    return must(entry, 'a transaction of somebody who has money').id;
  },
  usage_record: async (api, user) => {
    const { headers } = await api.ask(generation, {}, { user });
    return must(headers.get('x-request-id'), 'a trace ID');
  },
};
