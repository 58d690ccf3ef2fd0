import { createHash, randomBytes } from 'node:crypto';

const secretBytes = 32;

/** 256 random bits, for cookies, links and tokens. */
export function makeIdentitySecret(): string {
  return randomBytes(secretBytes).toString('base64url');
}

/** What is stored instead. So many random bits need no slow hash. */
export function hashIdentitySecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
