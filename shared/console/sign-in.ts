/** Signing in, and what leads to it. */
import { z } from 'zod';
import { languages } from '../languages.ts';
import { linkSecretPattern } from './links.ts';
import { amountSchema, roleSchema } from './session.ts';

/** Of links and of what goes back with an answer. */
const secretSchema = z.string().regex(linkSecretPattern, 'not a secret of this service');
const emailSchema = z.string().min(1).max(254);
const nameSchema = z.string().min(1).max(100);
/** Longer than any password that is accepted, so that the rules and not the form refuse one. */
export const newPasswordSchema = z.string().max(400);
export const givenPasswordSchema = z.string().min(1).max(400);
const codeSchema = z.string().min(1).max(60);

export const signInRequestSchema = z.object({
  email: emailSchema,
  password: givenPasswordSchema,
});

const signedInSchema = z.object({ kind: z.literal('signed_in') });
/** Either there is a session now, or a code is asked for. */
export const signInAnswerSchema = z.discriminatedUnion('kind', [
  signedInSchema,
  z.object({
    kind: z.literal('second_factor'),
    /** Goes back with the code. */
    secret: z.string(),
  }),
]);
export type SignInAnswer = z.infer<typeof signInAnswerSchema>;

/** After the second step. */
export const secondFactorAnswerSchema = signedInSchema.extend({
  /** Where one of them was used up by it. */
  recovery_codes_left: z.int().optional(),
});
export type SignedIn = z.infer<typeof secondFactorAnswerSchema>;

export const secondFactorRequestSchema = z.object({
  secret: secretSchema,
  /** Of the authenticator, or a recovery code. */
  code: codeSchema,
});

const base64urlSchema = z.string().regex(/^[\w-]*$/);
const idSchema = base64urlSchema.min(1).max(1_364);
/** A public key, a signature: a few kilobytes at most, with an attestation that nobody asked for. */
const bytesSchema = base64urlSchema.max(20_000);

const credentialShape = {
  id: idSchema,
  rawId: idSchema,
  type: z.literal('public-key'),
  authenticatorAttachment: z.enum(['platform', 'cross-platform']).optional().catch(undefined),
  clientExtensionResults: z.record(z.string(), z.unknown()).default({}),
};

/** What a browser makes of a passkey that is used. */
export const passkeyAnswerSchema = z.object({
  ...credentialShape,
  response: z.object({
    clientDataJSON: bytesSchema,
    authenticatorData: bytesSchema,
    signature: bytesSchema,
    userHandle: base64urlSchema.max(200).optional(),
  }),
});

/** What a browser makes of a passkey that is new. */
export const newPasskeyAnswerSchema = z.object({
  ...credentialShape,
  response: z.object({
    clientDataJSON: bytesSchema,
    attestationObject: bytesSchema,
    transports: z.array(z.string().max(30)).max(10).optional(),
  }),
});

/** What the browser's WebAuthn is to be called with; its fields are that standard's. */
export const passkeyQuestionSchema = z.object({
  /** Goes back with the answer. */
  secret: z.string(),
  options: z.record(z.string(), z.unknown()),
});

export const passkeySignInRequestSchema = z.object({
  secret: secretSchema,
  answer: passkeyAnswerSchema,
});

export const issuerRequestSchema = z.object({
  /** The page to end at. */
  next: z.string().max(4_000).optional(),
  /** Of an invitation's link, where one is being accepted. */
  invitation: secretSchema.optional(),
});
/** Where the browser goes next: to the OpenID issuer. */
export const issuerAnswerSchema = z.object({ url: z.string() });

/** Why coming back from the issuer signed nobody in: `/login?problem=…`. */
export const issuerProblems = [
  'expired',
  'refused',
  'no_account',
  'email_unverified',
  'email_unproven',
  'linked_otherwise',
  'disabled',
  'unavailable',
] as const;

export const emailRequestSchema = z.object({ email: emailSchema });

export const passwordResetSchema = z.object({ secret: secretSchema, password: newPasswordSchema });

export const registrationSchema = z.object({
  email: emailSchema,
  name: nameSchema,
  password: newPasswordSchema,
});
export const registrationConfirmationSchema = z.object({
  secret: secretSchema,
  name: nameSchema,
  password: newPasswordSchema,
});

export const invitationSecretSchema = z.object({ secret: secretSchema });
/** What an invitation offers. */
export const invitationOfferSchema = z.object({
  /** Null when whoever has the link gives their own. */
  email: z.string().nullable(),
  role: roleSchema,
  top_up: amountSchema,
  expires_at: z.string(),
});
export const invitationAcceptanceSchema = z.object({
  secret: secretSchema,
  /** Where the invitation names none. */
  email: emailSchema.nullable().default(null),
  name: nameSchema,
  password: newPasswordSchema,
});

export const invitationRequestSchema = z.object({
  /** Null invites whoever has the link. */
  email: emailSchema.nullable().default(null),
  role: roleSchema.default('user'),
  /** Decimal; what the new wallet begins with. */
  top_up: z.string().max(20).default('0'),
  /** Whether the link is to be mailed; it is shown in any case. */
  send_mail: z.boolean().default(false),
  /** Of that mail; null for the installation's. */
  mail_language: z.enum(languages).nullable().default(null),
});
const invitationSchema = z.object({
  id: z.string(),
  email: z.string().nullable(),
  role: roleSchema,
  top_up: amountSchema,
  /** The admin's address, or the command that made it. */
  invited_by: z.string(),
  state: z.enum(['open', 'accepted', 'revoked', 'expired']),
  created_at: z.string(),
  expires_at: z.string(),
});
export const invitationListSchema = z.object({
  invitations: z.array(invitationSchema),
  next: z.string().nullable(),
});
/** A link that is shown this once, from the root of the service. */
export const madeInvitationSchema = z.object({ invitation: invitationSchema, link: z.string() });
export const shownLinkSchema = z.object({ link: z.string(), expires_at: z.string() });
