/** Signing in, and proving again who one is. */
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';
import type { SignedIn, SignInAnswer } from '../../shared/console/sign-in.ts';
import { api } from './call-api.ts';

export function signIn(email: string, password: string): Promise<SignInAnswer> {
  return api.post<SignInAnswer>('/sign-in', { email, password });
}

export function confirmCode(secret: string, code: string): Promise<SignedIn> {
  return api.post<SignedIn>('/sign-in/second-factor', { secret, code });
}

interface PasskeyQuestion {
  secret: string;
  options: PublicKeyCredentialRequestOptionsJSON;
}

/** @param isOffered in the list of the e-mail field, where it waits until somebody picks it */
export async function signInByPasskey(isOffered = false): Promise<void> {
  const { secret, answer } = await askPasskey('/sign-in/passkey/question', isOffered);
  await api.post('/sign-in/passkey', { secret, answer });
}

export async function isPasskeyOfferPossible(): Promise<boolean> {
  const { browserSupportsWebAuthnAutofill } = await import('@simplewebauthn/browser');
  return browserSupportsWebAuthnAutofill();
}

interface IssuerWish {
  /** The page to end at. */
  next?: string | undefined;
  invitation?: string;
}

/** Leaves the page. */
export async function goToIssuer(wish: IssuerWish): Promise<void> {
  window.location.assign(await issuerUrl(wish));
}

/**
 * In a tab beside the page, which stays with all that was typed in it, and hears of who signed in there. Leaves
 * it where the browser opens no tab.
 */
export async function goToIssuerBeside(wish: IssuerWish): Promise<void> {
  // Before anything is asked: later, browsers take it for an advertisement.
  const beside = window.open();
  if (!beside) return goToIssuer(wish);
  beside.opener = null;
  try {
    beside.location.assign(await issuerUrl(wish));
  } catch (error) {
    beside.close();
    throw error;
  }
}

async function issuerUrl(wish: IssuerWish): Promise<string> {
  const { url } = await api.post<{ url: string }>('/sign-in/issuer', wish);
  return url;
}

export async function proveByPassword(password: string): Promise<void> {
  await api.post('/prove', { kind: 'password', password });
}

export async function proveByPasskey(): Promise<void> {
  const { secret, answer } = await askPasskey('/prove/question', false);
  await api.post('/prove', { kind: 'passkey', secret, answer });
}

async function askPasskey(path: string, isOffered: boolean) {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  const { secret, options } = await api.post<PasskeyQuestion>(path);
  const answer = await startAuthentication({
    optionsJSON: options,
    useBrowserAutofill: isOffered,
  });
  return { secret, answer };
}
