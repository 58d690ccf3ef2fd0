import { expect } from 'vitest';
import { type Answer, type Api, errorOf, outcomeOf, type SendOptions } from './api.ts';

/** The words that everybody without a valid key gets, whatever the reason. */
export const unauthorizedText =
  'Missing or invalid API key. Send the header "Authorization: Bearer <API key>".';

/** Sends a request with no key and with one that nobody has. */
export async function expectUnauthorized(
  { user }: Api,
  send: (options: SendOptions) => Promise<Answer>,
): Promise<void> {
  expectRefusedKey(await send({ user: null }));
  expectRefusedKey(await send({ user: { apiKey: changeLast(user.apiKey) } }));
}

export function expectRefusedKey(answer: Answer): void {
  expect(outcomeOf(answer)).toEqual({ status: 401, code: 'unauthorized', param: null });
  expect(errorOf(answer)).toMatchObject({
    message: unauthorizedText,
    type: 'invalid_request_error',
  });
  expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  expect(answer.headers.get('x-should-retry')).toBe('false');
}

/** The same key with another last character. */
export function changeLast(key: string): string {
  return key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a');
}
