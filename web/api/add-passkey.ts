import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser';
import { api } from './call-api.ts';

interface Question {
  secret: string;
  options: PublicKeyCredentialCreationOptionsJSON;
}

export type PasskeyOutcome = 'added' | 'already' | 'refused';

/** Has the browser make a passkey, and the service keep it. */
export async function addPasskey(name: string): Promise<PasskeyOutcome> {
  const { secret, options } = await api.post<Question>('/account/passkeys/question');
  const { startRegistration, WebAuthnError } = await import('@simplewebauthn/browser');
  try {
    const answer = await startRegistration({ optionsJSON: options });
    await api.post('/account/passkeys', { secret, name, answer });
    return 'added';
  } catch (error) {
    // What the service says goes to whoever asked.
    if (error instanceof WebAuthnError) {
      return error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED' ? 'already' : 'refused';
    }
    if (error instanceof DOMException) return 'refused';
    throw error;
  }
}
