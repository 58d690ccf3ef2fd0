/**
 * Something about the installation that only its operator can mend: an option, a file, a key, the
 * schema. The message is for the operator's terminal and log, never for an API client, and holds no
 * secret.
 */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}
