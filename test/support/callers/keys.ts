import { type Answer, type Api, errorOf, type SendOptions } from './api.ts';

/**
 * What everybody without a valid key gets, whatever the reason. By the first four words LiteLLM tells
 * this from other errors whose type is `invalid_request_error`: without them it is a 400 to its callers.
 */
export const unauthorized = {
  status: 401,
  code: 'unauthorized',
  type: 'invalid_request_error',
  param: null,
  message:
    'Incorrect API key provided, or none. Send the header "Authorization: Bearer <API key>".',
  challenge: 'Bearer',
  shouldRetry: 'false',
};

/** All that an error says to the client, but for its trace ID. */
export function refusalOf(answer: Answer) {
  const { trace_id: _, ...error } = errorOf(answer);
  return {
    status: answer.status,
    ...error,
    challenge: answer.headers.get('www-authenticate'),
    shouldRetry: answer.headers.get('x-should-retry'),
  };
}

/** What a request gets without a key, and what with one that nobody has. */
export async function refusalsOf(
  { user }: Api,
  send: (options: SendOptions) => Promise<Answer>,
): Promise<ReturnType<typeof refusalOf>[]> {
  const unknown = { apiKey: changeLast(user.apiKey) };
  return [refusalOf(await send({ user: null })), refusalOf(await send({ user: unknown }))];
}

/** The same key with another last character. */
export function changeLast(key: string): string {
  return key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a');
}
