import { OperatorError } from '../lib/operator-error.ts';

/** What Stripe's library says of a failure; of an error of another origin, nothing. */
interface StripeTold {
  /** Of Stripe's answer; none where there was no answer. */
  statusCode?: unknown;
  /** Words of a closed list: https://docs.stripe.com/api/errors */
  rawType?: unknown;
  code?: unknown;
  /** Why there was no answer. */
  detail?: unknown;
}

/**
 * Why Stripe did not do what it was asked for, for the log: without its status nobody could tell a wrong key from a
 * Stripe that is away. Its own message stays out, because it may quote what it was sent.
 */
export function stripeFailure(cause: unknown): Error {
  if (!(cause instanceof Error)) return new OperatorError('Stripe was not asked to the end');
  const { statusCode, rawType, code, detail }: Error & StripeTold = cause;
  if (typeof statusCode === 'number') {
    const told = [rawType, code].filter(isWord);
    const more = told.length === 0 ? '' : ` (${told.join(', ')})`;
    return new OperatorError(`Stripe answered with status ${statusCode}${more}`);
  }
  if (detail instanceof Error) return new OperatorError('Stripe did not answer', { cause: detail });
  return cause;
}

function isWord(told: unknown): told is string {
  return typeof told === 'string' && /^\w{1,64}$/.test(told);
}
