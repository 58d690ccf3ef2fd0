import type { RecordCode } from '../error-codes.ts';

/** What a user can do about the code of a request. The console says it in the user's language. */
export const codeAdvice: Readonly<Record<RecordCode, string>> = {
  invalid_request_error: 'Change the request: the answer named the field at fault.',
  unauthorized: 'Send a valid API key.',
  insufficient_quota: 'Add funds to the wallet, or raise the limit of the API key.',
  rate_limit: 'Send it again when another request is done.',
  model_unavailable: 'Choose another model, or ask an administrator to enable this one.',
  upstream_error: 'Send it again. If it goes on, give the trace ID to an administrator.',
  not_found: 'Check the address.',
  forbidden: 'Ask an administrator.',
  proof_needed: 'Enter the password or use the passkey again.',
  method_not_allowed: 'Use the method that the documentation names.',
  unavailable:
    'The image services were busy, this one was stopping, or its database did not answer: send it again.',
  internal_error: 'Give the trace ID to an administrator.',
  interrupted: 'The service stopped before it was done: send it again.',
  client_gone: 'The caller closed the connection before there was a picture: wait longer.',
  slow_upload: 'The body came too slowly: send it again, with smaller pictures if it has any.',
};
