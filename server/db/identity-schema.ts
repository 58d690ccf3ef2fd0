/** Row types of what is known about who signs in; as `schema.ts` says. */

export interface PasswordRow {
  user_id: string;
  /** argon2id, in its own encoded form. */
  hash: string;
  changed_at: number;
}

/** Failed sign-ins of one account or one network address. */
export interface SignInFailureRow {
  /** Kind and hash, so that no address is stored as it is. */
  subject: string;
  failures: number;
  first_at: number;
  last_at: number;
  /** What `last_at` was before: it goes back to that when a try turns out to be none. */
  earlier_at: number;
}

/** A browser that is signed in. */
export interface SessionRow {
  id: string;
  user_id: string;
  /** SHA-256 of the cookie's value, hex. */
  hash: string;
  method: SignInMethod;
  user_agent: string | null;
  address: string | null;
  created_at: number;
  last_seen_at: number;
  expires_at: number;
  /** When its user last showed a password or passkey: what is delicate asks for that anew. */
  proven_at: number | null;
}

export type SignInMethod = 'password' | 'passkey' | 'oidc' | 'invitation' | 'setup';

/** A secret by which a script uses the console's API as its owner. */
export interface AccessTokenRow {
  id: string;
  user_id: string;
  name: string;
  /** SHA-256, hex. */
  hash: string;
  last_four: string;
  created_at: number;
  expires_at: number | null;
  last_used_at: number | null;
  revoked_at: number | null;
}

/** A time-based one-time password generator. */
export interface AuthenticatorRow {
  user_id: string;
  /** Encrypted at rest; see `lib/secret-box.ts`. */
  secret: string;
  created_at: number;
  /** Null until a first code has shown that it was set up. */
  confirmed_at: number | null;
  /** Time step of the last code that was accepted: none is accepted twice. */
  last_step: number | null;
}

export interface RecoveryCodeRow {
  user_id: string;
  /** SHA-256, hex. */
  hash: string;
  used_at: number | null;
}

export interface PasskeyRow {
  /** The credential's ID, base64url. */
  id: string;
  user_id: string;
  name: string;
  /** COSE key, base64url. */
  public_key: string;
  counter: number;
  /** JSON list. */
  transports: string;
  created_at: number;
  last_used_at: number | null;
}

/** Whom an OpenID provider knows a user as. */
export interface OutsideIdentityRow {
  issuer: string;
  subject: string;
  user_id: string;
  created_at: number;
}

export interface InvitationRow {
  id: string;
  /** SHA-256 of the secret in its link, hex. */
  hash: string;
  /** Whom it is for; null for whoever has the link. */
  email: string | null;
  role: 'user' | 'admin';
  /** What the new wallet begins with, in micros. */
  top_up: number;
  invited_by: string;
  created_at: number;
  expires_at: number;
  accepted_by: string | null;
  /** When it was accepted or taken back. */
  ended_at: number | null;
}

/** Something that was asked of a browser and may be answered once: a step of signing in, a reset. */
export interface ChallengeRow {
  /** SHA-256 of the secret that the browser holds, hex. */
  hash: string;
  kind: string;
  user_id: string | null;
  /** JSON object. */
  data: string;
  created_at: number;
  expires_at: number;
}
