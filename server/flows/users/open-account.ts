import { type Amount, formatAmount } from '../../../shared/money.ts';
import {
  checkUserSlots,
  parseEmail,
  parseUserName,
  type Role,
  type User,
} from '../../accounts/user.ts';
import { insertUser } from '../../accounts/user-store.ts';
import type { Trx } from '../../db/db.ts';
import { makeId } from '../../lib/ids.ts';
import { openWallet } from '../../wallets/wallet-store.ts';
import { type Admin, adminChange, type ChangeEntry } from '../admin-change.ts';
import { postTopUp } from '../money/top-up-wallet.ts';

export interface NewAccount {
  email: string;
  name: string;
  role: Role;
  /** Null takes the installation's setting. */
  slotsMax: number | null;
  /** Money to begin with; null leaves the wallet empty. */
  topUp: Amount | null;
}

/** Adds a user together with their wallet, so that neither is ever there without the other. */
export async function openAccount(admin: Admin, account: NewAccount): Promise<User> {
  const checked = checkAccount(account);
  const { actor, reason } = admin;
  return adminChange(admin, async (trx, nowMs) => {
    const user = await addAccount(trx, checked, { actor, reason, nowMs });
    return { result: user, entry: newAccountEntry(user, checked) };
  });
}

/** How a new account is remembered. */
export function newAccountEntry(
  { id, email }: Pick<User, 'id' | 'email'>,
  { role, slotsMax, topUp }: NewAccount,
): ChangeEntry {
  return {
    action: 'user.add',
    subject: id,
    detail: {
      email,
      role,
      slots_max: slotsMax,
      ...(topUp !== null && { top_up: formatAmount(topUp) }),
    },
    topic: 'accounts',
  };
}

/** In the one spelling under which it is stored. */
export function checkAccount(account: NewAccount): NewAccount {
  checkUserSlots(account.slotsMax);
  return { ...account, email: parseEmail(account.email), name: parseUserName(account.name) };
}

/**
 * The user, the wallet and the money alone, for flows that do more in the same transaction.
 *
 * @param account as `checkAccount` leaves it
 */
export async function addAccount(
  trx: Trx,
  { email, name, role, slotsMax, topUp }: NewAccount,
  { actor, reason, nowMs }: { actor: string; reason: string | null; nowMs: number },
): Promise<User> {
  const id = makeId('usr', nowMs);
  const times = { createdAt: nowMs, disabledAt: null, erasedAt: null };
  const user: User = { id, email, name, role, slotsMax, ...times };
  await insertUser(trx, user);
  await openWallet(trx, id);
  if (topUp !== null) await postTopUp(trx, { userId: id, amount: topUp, actor, reason, nowMs });
  return user;
}
