import { type Amount, formatAmount } from '../../../shared/money.ts';
import { parseEmail, type Role } from '../../accounts/user.ts';
import { findUser } from '../../accounts/user-store.ts';
import type { Trx } from '../../db/db.ts';
import { type Invitation, invitationLimits } from '../../identity/invitation.ts';
import {
  countOpenInvitations,
  endInvitation,
  findInvitation,
  insertInvitation,
} from '../../identity/invitation-store.ts';
import { hashIdentitySecret, makeIdentitySecret } from '../../identity/secret.ts';
import { makeId } from '../../lib/ids.ts';
import { invalidRequest, ServiceError } from '../../lib/service-error.ts';
import { readSettings } from '../../settings/settings-store.ts';
import { type Admin, adminChange } from '../admin-change.ts';

export interface NewInvitation {
  /** Null invites whoever has the link. */
  email: string | null;
  role: Role;
  /** What the new wallet begins with. */
  topUp: Amount;
}

export interface MadeInvitation {
  invitation: Invitation;
  /** Opens an account; exists nowhere else, and is to be shown once. */
  secret: string;
}

export async function inviteUser(admin: Admin, wanted: NewInvitation): Promise<MadeInvitation> {
  const { role, topUp } = wanted;
  if (topUp < 0)
    throw invalidRequest('top_up', 'The top-up of an invitation must not be negative.');
  const email = wanted.email === null ? null : parseEmail(wanted.email);
  const secret = makeIdentitySecret();
  return adminChange(admin, async (trx, nowMs) => {
    await refuseWhileClosed(trx);
    if (email !== null && (await findUser(trx, email))) {
      throw invalidRequest('email', `There is already a user with the address ${email}.`);
    }
    if ((await countOpenInvitations(trx, nowMs)) >= invitationLimits.openMax) {
      const { openMax } = invitationLimits;
      throw invalidRequest(null, `There are ${openMax} open invitations: take some back first.`);
    }
    const invitation: Invitation = {
      id: makeId('inv', nowMs),
      email,
      role,
      topUp,
      invitedBy: admin.actor,
      createdAt: nowMs,
      expiresAt: nowMs + invitationLimits.lifeMs,
      acceptedBy: null,
      endedAt: null,
    };
    await insertInvitation(trx, invitation, hashIdentitySecret(secret));
    return {
      result: { invitation, secret },
      entry: {
        action: 'invitation.make',
        subject: invitation.id,
        detail: { email, role, top_up: formatAmount(topUp) },
        topic: null,
      },
    };
  });
}

async function refuseWhileClosed(trx: Trx): Promise<void> {
  const { registration } = await readSettings(trx);
  if (registration !== 'closed') return;
  throw invalidRequest(
    null,
    'Nobody can accept an invitation while registration is closed: allow invitations first.',
    { command: 'tintype settings set registration invitation' },
  );
}

/** Takes an invitation back. Once more changes nothing. */
export function revokeInvitation(admin: Admin, id: string): Promise<void> {
  return adminChange(admin, async (trx, nowMs) => {
    const invitation = await findInvitation(trx, id);
    if (!invitation) throw new ServiceError('not_found', `There is no invitation ${id}.`);
    const isEnded = await endInvitation(trx, { id, acceptedBy: null, nowMs });
    if (!isEnded) return { result: undefined, entry: null };
    const { email } = invitation;
    return {
      result: undefined,
      entry: { action: 'invitation.revoke', subject: id, detail: { email }, topic: null },
    };
  });
}
