import type { ChallengeRow } from '../db/identity-schema.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** What a browser may be asked, and how long it has for the answer. */
export const challengeLifeMs = {
  /** A code, after the password was right. */
  second_factor: 5 * minuteMs,
  passkey_sign_in: 5 * minuteMs,
  passkey_proof: 5 * minuteMs,
  passkey_registration: 5 * minuteMs,
  /** To come back from the OpenID issuer. */
  oidc: 10 * minuteMs,
  password_reset: hourMs,
  /** To open an account with the address that got the link. */
  registration: hourMs,
  /** To make the first account. */
  setup: 24 * hourMs,
} as const;
export type ChallengeKind = keyof typeof challengeLifeMs;

/** Something that was asked and may be answered once. */
export interface Challenge {
  kind: ChallengeKind;
  userId: string | null;
  /** What the answer is checked with. */
  data: Readonly<Record<string, unknown>>;
  createdAt: number;
  expiresAt: number;
}

export function challengeFromRow(row: ChallengeRow): Challenge {
  return {
    // Written only by the store.
    kind: row.kind as ChallengeKind,
    userId: row.user_id,
    // Likewise, as a JSON object.
    data: JSON.parse(row.data) as Challenge['data'],
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}
