/** Somebody who left traces in every place there is. */
import type { Database } from '../../../server/db/db.ts';
import { editKey } from '../../../server/flows/keys/edit-key.ts';
import { setPrice } from '../../../server/flows/models/set-price.ts';
import { adjustWallet } from '../../../server/flows/money/adjust-wallet.ts';
import { admit, settle } from '../../../server/flows/money/hold-money.ts';
import { refundCharge } from '../../../server/flows/money/refund-charge.ts';
import { topUpWallet } from '../../../server/flows/money/top-up-wallet.ts';
import { editUser } from '../../../server/flows/users/edit-user.ts';
import { insertInvitation } from '../../../server/identity/invitation-store.ts';
import { markDelivered } from '../../../server/wallets/delivery-store.ts';
import { amount, testAdmin } from '../console/test-admin.ts';
import {
  addSpender,
  admissionOf,
  type Spender,
  settlementOf,
  startProcess,
} from '../money/spending.ts';

/** What must be nowhere afterwards. Each stands in one kind of place at least. */
export const canaries = [
  'ada@canary-mail.example',
  'former@canary-mail.example',
  'Ada Canarylace',
  'Ada Canaryformer',
  'canary-key-name',
  'canary-earlier-key-name',
  '203.0.113.77',
  '198.51.100.0/24',
  'CanaryBrowser/7.0',
  'canary-passkey',
  'canary-token',
  'canary-totp-secret',
  'canary-outside-subject',
  'canary-password-hash',
  'canary-recovery-hash',
  'canary-top-up-note',
  'canary-adjustment-note',
  'canary-refund-note',
  'canary-idempotency-key',
  'canary-mail-failure',
  'canary-challenge',
  'canary-code-note',
] as const;

/** Somebody with 16.74 who left traces in every place there is. */
export async function liveALife(database: Database): Promise<Spender> {
  const person = await addSpender(database, '0');
  const { userId, apiKeyId } = person;
  const as = (reason: string) => testAdmin(database, reason);
  const user = userId;
  await editUser(as('x'), user, {
    email: 'former@canary-mail.example',
    name: 'Ada Canaryformer',
  });
  await editUser(as('x'), user, { email: 'ada@canary-mail.example', name: 'Ada Canarylace' });
  await editKey(as('x'), { keyId: apiKeyId, userId: null }, { name: 'canary-earlier-key-name' });
  await editKey(
    as('x'),
    { keyId: apiKeyId, userId: null },
    {
      name: 'canary-key-name',
      addresses: ['198.51.100.0/24'],
    },
  );
  await topUpWallet(as('canary-top-up-note for Ada'), { user, amount: amount('20') });
  await adjustWallet(as('canary-adjustment-note'), { user, amount: amount('-3') });
  // Somebody else's change, whose reason names the person.
  await setPrice(as('because ada@canary-mail.example asked, says Ada Canarylace'), {
    modelId: 'gen-image-2',
    price: amount('0.04'),
  });
  await payAPicture(database, person, 'canary-idempotency-key');
  const traceId = await payAPicture(database, person);
  await refundCharge(as('canary-refund-note'), { traceId, amount: amount('0.04') });
  await payAPicture(database, person);
  await refundCharge(as('x'), {
    traceId: await payAPicture(database, person),
    amount: amount('0.10'),
  });
  await database.transaction(async (trx) => {
    await addIdentity(trx.kysely, userId);
    await insertInvitation(
      trx,
      {
        id: 'inv_01kdvdna00r1hnf218w1804dn2',
        email: 'ada@canary-mail.example',
        role: 'user',
        topUp: amount('0'),
        invitedBy: 'cli:test',
        createdAt: 1,
        expiresAt: 2,
        acceptedBy: userId,
        endedAt: 1,
      },
      'a hash',
    );
  });
  return person;
}

export async function payAPicture(
  database: Database,
  person: Spender,
  key: string | null = null,
): Promise<string> {
  const { clock } = testAdmin(database);
  const { id: processId } = await startProcess(database);
  const idempotency = key === null ? null : { key, fingerprint: 'f' };
  const terms = admissionOf(person, { processId, idempotency });
  await admit(database, clock, terms);
  await settle(database, clock, settlementOf(terms.traceId));
  await database.transaction((trx) => markDelivered(trx, [terms.traceId], clock.now()));
  return terms.traceId;
}

/** Written as it stands in the tables, where signing in would take a browser. */
async function addIdentity(kysely: Database['kysely'], userId: string): Promise<void> {
  const owned = { user_id: userId, created_at: 1 };
  await kysely
    .insertInto('passwords')
    .values({ user_id: userId, hash: 'canary-password-hash', changed_at: 1 })
    .execute();
  await kysely
    .insertInto('sessions')
    .values({
      ...owned,
      id: 'ses_1',
      hash: 'session hash',
      method: 'password',
      user_agent: 'CanaryBrowser/7.0',
      address: '203.0.113.77',
      last_seen_at: 1,
      expires_at: 2,
      proven_at: null,
    })
    .execute();
  await kysely
    .insertInto('access_tokens')
    .values({ ...owned, id: 'pat_1', name: 'canary-token', hash: 'h', last_four: '1234' })
    .execute();
  await kysely
    .insertInto('authenticators')
    .values({ ...owned, secret: 'canary-totp-secret' })
    .execute();
  await kysely
    .insertInto('recovery_codes')
    .values({ user_id: userId, hash: 'canary-recovery-hash', used_at: null })
    .execute();
  await kysely
    .insertInto('passkeys')
    .values({
      ...owned,
      id: 'credential',
      name: 'canary-passkey',
      public_key: 'k',
      counter: 0,
      transports: '[]',
    })
    .execute();
  await kysely
    .insertInto('outside_identities')
    .values({ ...owned, issuer: 'https://issuer.example', subject: 'canary-outside-subject' })
    .execute();
  await kysely
    .insertInto('challenges')
    .values({
      hash: 'challenge hash',
      kind: 'registration',
      user_id: null,
      data: JSON.stringify({ email: 'ada@canary-mail.example', name: 'canary-challenge' }),
      created_at: 1,
      expires_at: 2,
    })
    .execute();
  await kysely
    .insertInto('notices')
    .values({
      ...owned,
      id: 'ntc_1',
      kind: 'low_balance',
      medium: 'email',
      balance: 1,
      threshold: 2,
      tries: 1,
      next_try_at: 1,
      failure: 'canary-mail-failure to ada@canary-mail.example',
      given_up_at: 1,
    })
    .execute();
  const topUp = await kysely
    .selectFrom('wallet_transactions')
    .select(['id', 'amount'])
    .where('user_id', '=', userId)
    .where('kind', '=', 'top_up')
    .executeTakeFirstOrThrow();
  await kysely
    .insertInto('codes')
    .values({
      id: 'cod_1',
      batch_id: 'bat_1',
      hash: 'code hash',
      last_four: 'abcd',
      amount: topUp.amount,
      transaction_id: topUp.id,
      note: 'canary-code-note',
      created_by: 'cli:test',
      created_at: 1,
      redeemed_by: userId,
      redeemed_at: 1,
    })
    .execute();
}

export async function addPayment(
  { kysely }: Database,
  { userId }: Spender,
  expiresAt: number | null,
): Promise<void> {
  await kysely
    .insertInto('payments')
    .values({
      id: 'pay_1',
      user_id: userId,
      provider: 'stripe',
      amount: 1,
      currency: 'USD',
      state: 'open',
      created_at: 1,
      expires_at: expiresAt,
    })
    .execute();
}
