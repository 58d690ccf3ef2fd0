import type { Database } from '../../db/db.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Logger } from '../../lib/logger.ts';
import type { StripeGateway } from '../../payments/stripe-gateway.ts';
import type { UploadPace } from '../v1/upload-memory.ts';

export interface WebhookDeps {
  database: Database;
  clock: Clock;
  log: Logger;
  /** Null where Stripe is not configured. */
  stripe: StripeGateway | null;
  /** By which reports of other providers are signed; null where none are taken. */
  reportSecret: string | null;
  /** How slowly what they post may come. */
  pace: UploadPace;
}
