/** What a browser's WebAuthn gives and takes, between its JSON and ours. */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { z } from 'zod';
import type {
  newPasskeyAnswerSchema,
  passkeyAnswerSchema,
  passkeyQuestionSchema,
} from '../../../../shared/console/sign-in.ts';

export function toPasskeyAnswer(
  answer: z.output<typeof passkeyAnswerSchema>,
): AuthenticationResponseJSON {
  const { id, rawId, type, response, authenticatorAttachment } = answer;
  const { userHandle, ...signed } = response;
  return {
    id,
    rawId,
    type,
    clientExtensionResults: {},
    response: { ...signed, ...(userHandle !== undefined && { userHandle }) },
    ...(authenticatorAttachment && { authenticatorAttachment }),
  };
}

export function toNewPasskeyAnswer(
  answer: z.output<typeof newPasskeyAnswerSchema>,
): RegistrationResponseJSON {
  const { id, rawId, type, response, authenticatorAttachment } = answer;
  const { transports, ...made } = response;
  return {
    id,
    rawId,
    type,
    clientExtensionResults: {},
    response: { ...made, ...(transports && { transports }) },
    ...(authenticatorAttachment && { authenticatorAttachment }),
  };
}

export function presentQuestion({
  secret,
  options,
}: {
  secret: string;
  options: object;
}): z.input<typeof passkeyQuestionSchema> {
  return { secret, options: { ...options } };
}
