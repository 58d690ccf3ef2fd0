/** What a caller is told who may not ask, or whose request was not admitted. */
import { formatAmount } from '../../../shared/money.ts';
import { ServiceError } from '../../lib/service-error.ts';
import type { AdmitOutcome } from '../money/hold-money.ts';

export function throwIfRefused(
  outcome: Exclude<AdmitOutcome, { kind: 'key_taken' }>,
  slotsMax: number,
): void {
  switch (outcome.kind) {
    case 'admitted':
      return;
    case 'not_permitted':
      throw new ServiceError('unauthorized', unauthorizedMessage);
    case 'no_slot':
      throw new ServiceError(
        'rate_limit',
        `You have ${running(slotsMax)}, as many as you may. Try again when one is done.`,
        { retryAfterSeconds: 1 },
      );
    case 'no_key_slot':
      throw new ServiceError(
        'rate_limit',
        `This API key has ${running(outcome.slotsMax)}, as many as it may. Try again when one is done.`,
        { retryAfterSeconds: 1 },
      );
    case 'key_spent':
      throw new ServiceError(
        'insufficient_quota',
        `This request would exceed the spend limit of this API key: ${outcome.limit}.`,
        { retryable: false },
      );
    case 'no_money':
      throw new ServiceError(
        'insufficient_quota',
        `This request needs ${formatAmount(outcome.needed)} and your wallet has ${formatAmount(outcome.available)} available. Add funds.`,
        { retryable: false },
      );
  }
}

/**
 * The same words for every reason, so that a guess learns nothing. The first four are OpenAI's, by which
 * some clients know this error (LiteLLM takes one of its type without them for a 400).
 */
export const unauthorizedMessage =
  'Incorrect API key provided, or none. Send the header "Authorization: Bearer <API key>".';

function running(requests: number): string {
  return requests === 1 ? '1 request running' : `${requests} requests running`;
}
