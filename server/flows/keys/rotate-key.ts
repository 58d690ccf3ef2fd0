import { keyLimits } from '../../accounts/api-key.ts';
import { type KeyChoice, replaceSecret, requireApiKey } from '../../accounts/api-key-store.ts';
import { hashSecret, lastFourOf, makeSecret } from '../../accounts/key-secret.ts';
import { invalidRequest } from '../../lib/service-error.ts';
import { isoTime } from '../../lib/time-text.ts';
import { type Admin, adminChange } from '../admin-change.ts';
import type { IssuedKey } from './issue-key.ts';

export interface Rotation {
  prefix: string;
  /** How long the secret of before works beside the new one; 0 ends it at once. */
  overlapMs: number;
  /** How the present secret ends, where nobody has seen it: it alone is replaced. */
  inPlaceOf?: string | undefined;
}

/**
 * Gives a key another secret; everything else about it stays. Of several rotations within one
 * overlap only the latest secret of before goes on; a secret that nobody has seen, for its answer got lost,
 * is replaced and ends no other.
 */
export function rotateKey(
  admin: Admin,
  choice: KeyChoice,
  { prefix, overlapMs, inPlaceOf }: Rotation,
): Promise<IssuedKey> {
  if (!Number.isInteger(overlapMs) || overlapMs < 0 || overlapMs > keyLimits.overlapMsMax) {
    throw invalidRequest('overlap', 'The overlap of two secrets is 0 to 24 hours.');
  }
  const secret = makeSecret(prefix);
  return adminChange(admin, async (trx, nowMs) => {
    const key = await requireApiKey(trx, choice);
    if (key.revokedAt !== null) throw invalidRequest(null, 'A revoked key stays revoked.');
    const lastFour = lastFourOf(secret);
    const hasPrevious = inPlaceOf === undefined || (key.previousUntil ?? 0) > nowMs;
    const previousUntil = overlapMs > 0 && hasPrevious ? nowMs + overlapMs : null;
    const replacement = { hash: hashSecret(secret), prefix, lastFour, previousUntil, inPlaceOf };
    if (!(await replaceSecret(trx, key.id, replacement))) {
      throw invalidRequest(
        'in_place_of',
        'The key was rotated again meanwhile: reload the list of keys.',
      );
    }
    return {
      result: { key: { ...key, prefix, lastFour, previousUntil }, secret },
      entry: {
        action: 'api_key.rotate',
        subject: key.id,
        detail: {
          user_id: key.userId,
          name: key.name,
          last_four: { from: key.lastFour, to: lastFour },
          previous_until: previousUntil === null ? null : isoTime(previousUntil),
        },
        topic: 'accounts',
      },
    };
  });
}
