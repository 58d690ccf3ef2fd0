import type { z } from 'zod';
import type {
  AdminUser,
  adminKeySchema,
  adminSessionsSchema,
  walletEntrySchema,
} from '../../../../shared/console/admin-users.ts';
import { type ApiKey, stateOfKey } from '../../../accounts/api-key.ts';
import type { UserOverview } from '../../../flows/reading/read-users.ts';
import { deviceOf } from '../../../identity/device.ts';
import type { Session } from '../../../identity/session.ts';
import { isoTime, timeOrNull } from '../../../lib/time-text.ts';
import type { WalletTransaction } from '../../../wallets/transaction.ts';
import { availableOf } from '../../../wallets/wallet.ts';
import { presentAmount, presentVastSum } from './amount.ts';

export function presentUser(overview: UserOverview): AdminUser {
  const { user, wallet, activity, spend, keys, lastActiveAt } = overview;
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    role: user.role,
    state: user.disabledAt === null ? 'active' : 'disabled',
    slots_max: user.slotsMax,
    balance: presentAmount(wallet.balance),
    held: presentAmount(wallet.held),
    available: presentAmount(availableOf(wallet)),
    running: wallet.inFlight,
    spend_30d: presentVastSum(spend),
    requests_30d: activity.requests,
    keys,
    created_at: isoTime(user.createdAt),
    disabled_at: timeOrNull(user.disabledAt),
    erased_at: timeOrNull(user.erasedAt),
    last_active_at: timeOrNull(lastActiveAt),
  };
}

export function presentKeyState(key: ApiKey, nowMs: number): z.input<typeof adminKeySchema> {
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    last_four: key.lastFour,
    state: stateOfKey(key, nowMs),
    models: key.models && [...key.models],
    created_at: isoTime(key.createdAt),
    expires_at: timeOrNull(key.expiresAt),
    last_used_at: timeOrNull(key.lastUsedAt),
  };
}

export function presentSession(
  session: Session,
): z.input<typeof adminSessionsSchema>['sessions'][number] {
  return {
    id: session.id,
    method: session.method,
    ...deviceOf(session.userAgent),
    address: session.address,
    created_at: isoTime(session.createdAt),
    last_seen_at: isoTime(session.lastSeenAt),
    expires_at: isoTime(session.expiresAt),
  };
}

export function presentEntry(entry: WalletTransaction): z.input<typeof walletEntrySchema> {
  return {
    id: entry.id,
    kind: entry.kind,
    amount: presentAmount(entry.amount),
    balance_after: presentAmount(entry.balanceAfter),
    reason: entry.reason,
    by: entry.actor,
    trace_id: entry.traceId,
    created_at: isoTime(entry.createdAt),
  };
}
