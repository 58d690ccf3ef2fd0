import { mayPass } from '../../../db/database-error.ts';
import { ServiceError } from '../../../lib/service-error.ts';

/**
 * Claims the delivery of an answer by `claim`, and answers as that does: false when the charge was returned.
 *
 * A database that does not answer becomes an error that asks the caller to try again. The picture is not sent then:
 * either a repeat gets it, or its charge is returned.
 */
export async function claimed(claim: () => Promise<boolean>): Promise<boolean> {
  try {
    return await claim();
  } catch (error) {
    if (!mayPass(error)) throw error;
    const message = 'The database does not answer, so the picture was not sent. Try again.';
    throw new ServiceError('unavailable', message, { retryAfterSeconds: 5, cause: error });
  }
}
