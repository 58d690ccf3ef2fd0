import { hashSecret, keyLimits, lastFourOf, makeSecret } from '../accounts/api-key.ts';
import { type KeyChoice, replaceSecret, requireApiKey } from '../accounts/api-key-store.ts';
import { invalidRequest } from '../lib/service-error.ts';
import { isoTime } from '../lib/time-text.ts';
import { type Admin, adminChange } from './admin-change.ts';
import type { IssuedKey } from './issue-key.ts';

export interface Rotation {
  prefix: string;
  /** How long the secret of before works beside the new one; 0 ends it at once. */
  overlapMs: number;
}

/**
 * Gives a key another secret; everything else about it stays. Of several rotations within one
 * overlap only the latest secret of before goes on.
 */
export function rotateKey(
  admin: Admin,
  choice: KeyChoice,
  { prefix, overlapMs }: Rotation,
): Promise<IssuedKey> {
  if (!Number.isInteger(overlapMs) || overlapMs < 0 || overlapMs > keyLimits.overlapMsMax) {
    throw invalidRequest('overlap', 'The overlap of two secrets is 0 to 24 hours.');
  }
  const secret = makeSecret(prefix);
  return adminChange(admin, async (trx, nowMs) => {
    const key = await requireApiKey(trx, choice);
    if (key.revokedAt !== null) throw invalidRequest(null, 'A revoked key stays revoked.');
    const lastFour = lastFourOf(secret);
    const previousUntil = overlapMs === 0 ? null : nowMs + overlapMs;
    const hash = hashSecret(secret);
    await replaceSecret(trx, key.id, { hash, prefix, lastFour, previousUntil });
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
