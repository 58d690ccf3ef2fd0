import type { SessionRow, SignInMethod } from '../db/identity-schema.ts';

/** A browser that is signed in. */
export interface Session {
  id: string;
  userId: string;
  method: SignInMethod;
  userAgent: string | null;
  address: string | null;
  createdAt: number;
  lastSeenAt: number;
  /** Moves on with use, up to {@link sessionLimits}. */
  expiresAt: number;
  /** When its user last showed a password or passkey; null when an issuer did not say. */
  provenAt: number | null;
}

const dayMs = 24 * 3_600_000;

export const sessionLimits = {
  /** Without a request. */
  idleMs: 14 * dayMs,
  /** However busy. */
  lifeMs: 90 * dayMs,
  /** After it, what is delicate asks for the password or passkey again. */
  provenMs: 15 * 60_000,
  /** Of one user; a further one ends the oldest. */
  perUserMax: 50,
  userAgentCharactersMax: 300,
} as const;

export function sessionFromRow(row: SessionRow): Session {
  return {
    id: row.id,
    userId: row.user_id,
    method: row.method,
    userAgent: row.user_agent,
    address: row.address,
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
    expiresAt: row.expires_at,
    provenAt: row.proven_at,
  };
}
