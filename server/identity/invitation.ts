import { type Amount, amountFromMicros } from '../../shared/money.ts';
import type { InvitationRow } from '../db/identity-schema.ts';

export const invitationLimits = {
  lifeMs: 7 * 24 * 3_600_000,
  /** Open at the same time, of all admins together. */
  openMax: 500,
} as const;

/** A link by which somebody may open an account. */
export interface Invitation {
  id: string;
  /** Whom it is for; null for whoever has the link. */
  email: string | null;
  role: InvitationRow['role'];
  /** What the new wallet begins with. */
  topUp: Amount;
  /** The admin, as the audit names them. */
  invitedBy: string;
  createdAt: number;
  expiresAt: number;
  acceptedBy: string | null;
  /** When it was accepted or taken back. */
  endedAt: number | null;
}

export type InvitationState = 'open' | 'accepted' | 'revoked' | 'expired';

export function stateOfInvitation(invitation: Invitation, nowMs: number): InvitationState {
  if (invitation.acceptedBy !== null) return 'accepted';
  if (invitation.endedAt !== null) return 'revoked';
  return invitation.expiresAt <= nowMs ? 'expired' : 'open';
}

export function invitationFromRow(row: InvitationRow): Invitation {
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    topUp: amountFromMicros(row.top_up),
    invitedBy: row.invited_by,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    acceptedBy: row.accepted_by,
    endedAt: row.ended_at,
  };
}
