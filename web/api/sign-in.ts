/** Signing in, and proving again who one is. */
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';
import type { SignInAnswer } from '../../shared/console/sign-in.ts';
import { api } from './call-api.ts';

export function signIn(email: string, password: string): Promise<SignInAnswer> {
  return api.post<SignInAnswer>('/sign-in', { email, password });
}

export function confirmCode(secret: string, code: string): Promise<SignInAnswer> {
  return api.post<SignInAnswer>('/sign-in/second-factor', { secret, code });
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

/** Leaves the page. */
export async function goToIssuer(wish: { next?: string; invitation?: string }): Promise<void> {
  const { url } = await api.post<{ url: string }>('/sign-in/issuer', wish);
  window.location.assign(url);
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
