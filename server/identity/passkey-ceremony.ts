/**
 * What WebAuthn asks of a browser, and whether the answer is right. The only place that knows the
 * library, which is loaded with the first passkey: it is a tenth of what a process takes to start.
 */
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { Passkey } from './passkey.ts';

/** Where the browser has the service open: passkeys are bound to it. */
export interface Site {
  /** `https://images.example.com` */
  origin: string;
}

/** Who signs in by a passkey shows a face, a finger or a PIN to it: that makes it two factors. */
const userVerification = 'required';

/** EdDSA, ES256 and RS256, by their COSE numbers: every device knows one of them. */
const supportedAlgorithmIDs = [-8, -7, -257];

export async function askToRegister({
  site,
  installation,
  user,
  known,
}: {
  site: Site;
  installation: string;
  user: { id: string; email: string; name: string };
  known: readonly Passkey[];
}): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await webAuthn();
  return generateRegistrationOptions({
    rpName: installation,
    rpID: hostOf(site),
    userID: new TextEncoder().encode(user.id),
    userName: user.email,
    userDisplayName: user.name,
    attestationType: 'none',
    supportedAlgorithmIDs,
    excludeCredentials: known.map(({ id, transports }) => ({ id, transports: [...transports] })),
    // Discoverable, so that nobody has to type an address to use it.
    authenticatorSelection: { residentKey: 'required', userVerification },
  });
}

/** What is stored of a new passkey; null when the answer is not right. */
export async function checkRegistration({
  site,
  challenge,
  answer,
}: {
  site: Site;
  challenge: string;
  answer: RegistrationResponseJSON;
}): Promise<Pick<Passkey, 'id' | 'publicKey' | 'counter' | 'transports'> | null> {
  const { verifyRegistrationResponse } = await webAuthn();
  const checked = await orNull(async () =>
    verifyRegistrationResponse({
      response: await withoutAttestation(answer),
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: hostOf(site),
      requireUserVerification: true,
      supportedAlgorithmIDs,
    }),
  );
  if (!checked?.verified) return null;
  const { id, publicKey, counter, transports = [] } = checked.registrationInfo.credential;
  return { id, publicKey: Buffer.from(publicKey).toString('base64url'), counter, transports };
}

/**
 * What a device says of its maker is not asked for, and so not believed either: to check it, the library
 * would fetch whatever address its certificates name, past all that guards outgoing requests.
 */
async function withoutAttestation(
  answer: RegistrationResponseJSON,
): Promise<RegistrationResponseJSON> {
  const { decodeAttestationObject, isoBase64URL, isoCBOR } = await import(
    '@simplewebauthn/server/helpers'
  );
  const made = decodeAttestationObject(isoBase64URL.toBuffer(answer.response.attestationObject));
  const bare = new Map<string, string | Uint8Array | Map<string, never>>([
    ['fmt', 'none'],
    ['attStmt', new Map<string, never>()],
    ['authData', made.get('authData')],
  ]);
  const attestationObject = isoBase64URL.fromBuffer(isoCBOR.encode(bare));
  return { ...answer, response: { ...answer.response, attestationObject } };
}

/** @param known null asks for whichever passkey the visitor has here */
export async function askForPasskey(
  site: Site,
  known: readonly Passkey[] | null,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await webAuthn();
  return generateAuthenticationOptions({
    rpID: hostOf(site),
    userVerification,
    ...(known && {
      allowCredentials: known.map(({ id, transports }) => ({ id, transports: [...transports] })),
    }),
  });
}

/** The passkey's new counter; null when the answer is not right. */
export async function checkPasskeyAnswer({
  site,
  challenge,
  passkey,
  answer,
}: {
  site: Site;
  challenge: string;
  passkey: Passkey;
  answer: AuthenticationResponseJSON;
}): Promise<{ counter: number } | null> {
  const { verifyAuthenticationResponse } = await webAuthn();
  const checked = await orNull(() =>
    verifyAuthenticationResponse({
      response: answer,
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: hostOf(site),
      requireUserVerification: true,
      credential: {
        id: passkey.id,
        publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
        counter: passkey.counter,
      },
    }),
  );
  return checked?.verified ? { counter: checked.authenticationInfo.newCounter } : null;
}

function webAuthn() {
  return import('@simplewebauthn/server');
}

function hostOf({ origin }: Site): string {
  return new URL(origin).hostname;
}

/** The library throws for whatever is wrong with an answer; to us they are all one. */
async function orNull<T>(check: () => Promise<T>): Promise<T | null> {
  try {
    return await check();
  } catch {
    return null;
  }
}
