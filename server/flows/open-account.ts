import { type Amount, formatAmount } from '../../shared/money.ts';
import {
  checkUserSlots,
  parseEmail,
  parseUserName,
  type Role,
  type User,
} from '../accounts/user.ts';
import { insertUser } from '../accounts/user-store.ts';
import { makeId } from '../lib/ids.ts';
import { openWallet } from '../wallets/wallet-store.ts';
import { type Admin, adminChange } from './admin-change.ts';
import { postTopUp } from './top-up-wallet.ts';

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
  const { role, slotsMax, topUp } = account;
  const email = parseEmail(account.email);
  const name = parseUserName(account.name);
  checkUserSlots(slotsMax);
  return adminChange(admin, async (trx, nowMs) => {
    const id = makeId('usr', nowMs);
    const user: User = { id, email, name, role, slotsMax, createdAt: nowMs, disabledAt: null };
    await insertUser(trx, user);
    await openWallet(trx, id);
    if (topUp !== null) {
      const { actor, reason } = admin;
      await postTopUp(trx, { userId: id, amount: topUp, actor, reason, nowMs });
    }
    return {
      result: user,
      entry: {
        action: 'user.add',
        subject: id,
        detail: {
          email,
          role,
          slots_max: slotsMax,
          ...(topUp !== null && { top_up: formatAmount(topUp) }),
        },
        topic: 'accounts',
      },
    };
  });
}
