import { z } from 'zod';
import { languages } from '../languages.ts';
import { linkSecretPattern } from './links.ts';
import {
  givenPasswordSchema,
  newPasskeyAnswerSchema,
  newPasswordSchema,
  passkeyAnswerSchema,
} from './sign-in.ts';

const secretSchema = z.string().regex(linkSecretPattern, 'not a secret of this service');

const sessionSchema = z.object({
  id: z.string(),
  /** Whether it is the one that asks. */
  is_current: z.boolean(),
  method: z.enum(['password', 'passkey', 'oidc', 'invitation', 'setup']),
  /** Null where the browser does not say, or nothing we know. */
  browser: z.string().nullable(),
  system: z.string().nullable(),
  address: z.string().nullable(),
  created_at: z.string(),
  last_seen_at: z.string(),
  expires_at: z.string(),
});

export const passkeySchema = z.object({
  id: z.string(),
  name: z.string(),
  created_at: z.string(),
  last_used_at: z.string().nullable(),
});

const accessTokenSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** Its last four characters. */
  ends: z.string(),
  created_at: z.string(),
  expires_at: z.string().nullable(),
  last_used_at: z.string().nullable(),
});

/** By what a user signs in, and where they are. */
export const accountSchema = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  password: z.object({ changed_at: z.string() }).nullable(),
  authenticator: z.object({ confirmed_at: z.string(), recovery_codes_left: z.int() }).nullable(),
  passkeys: z.array(passkeySchema),
  outside_identities: z.array(z.object({ issuer: z.string(), created_at: z.string() })),
  sessions: z.array(sessionSchema),
  access_tokens: z.array(accessTokenSchema),
  /**
   * Until when delicate things need no new proof; null for an access token, and after an issuer signed
   * somebody in without saying when it saw their password.
   */
  proven_until: z.string().nullable(),
});
export type Account = z.infer<typeof accountSchema>;

export const profileChangeSchema = z.object({ name: z.string().min(1).max(100) });

export const preferencesSchema = z.object({
  language: z.enum(languages).nullable(),
  theme: z.enum(['system', 'light', 'dark']),
  zone: z.string().nullable(),
  shortcuts: z.boolean(),
});
export const preferencesChangeSchema = z.object({
  language: preferencesSchema.shape.language.optional(),
  theme: preferencesSchema.shape.theme.optional(),
  zone: z.string().max(100).nullable().optional(),
  shortcuts: z.boolean().optional(),
});

/** The old one was shown a short while ago: changing it is delicate. */
export const passwordChangeSchema = z.object({ password: newPasswordSchema });

export const endedSessionsSchema = z.object({ ended: z.int() });

export const proofSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('password'), password: givenPasswordSchema }),
  z.object({ kind: z.literal('passkey'), secret: secretSchema, answer: passkeyAnswerSchema }),
]);
export const proofAnswerSchema = z.object({ proven_until: z.string() });

export const newAuthenticatorSchema = z.object({
  /** In base32, for whoever types it. */
  secret: z.string(),
  uri: z.string(),
  /** The same as a picture: one SVG path in a square of `size` units. */
  qr: z.object({ size: z.int(), path: z.string() }),
});
export const authenticatorCodeSchema = z.object({ code: z.string().min(1).max(20) });
/** Shown this once. */
export const recoveryCodesSchema = z.object({ recovery_codes: z.array(z.string()) });

export const passkeyRegistrationSchema = z.object({
  secret: secretSchema,
  name: z.string().min(1).max(100),
  answer: newPasskeyAnswerSchema,
});
export const passkeyChangeSchema = z.object({ name: z.string().min(1).max(100) });

export const accessTokenDaysMax = 365;

export const accessTokenRequestSchema = z.object({
  name: z.string().min(1).max(100),
  /** Null for one that does not expire. */
  days: z.int().min(1).max(accessTokenDaysMax).nullable(),
});
/** The secret is shown this once. */
export const madeAccessTokenSchema = z.object({
  token: accessTokenSchema,
  secret: z.string(),
});
