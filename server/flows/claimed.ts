import { mayPass } from '../db/database-error.ts';
import { ServiceError } from '../lib/service-error.ts';

/** What `claim` says of a delivery. Where it cannot be made, the charge is returned unless a repeat gets the picture. */
export async function claimed(claim: () => Promise<boolean>): Promise<boolean> {
  try {
    return await claim();
  } catch (error) {
    if (!mayPass(error)) throw error;
    const message = 'The database does not answer, so the picture was not sent. Try again.';
    throw new ServiceError('unavailable', message, { retryAfterSeconds: 5, cause: error });
  }
}
