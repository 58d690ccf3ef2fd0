/** Codes for whoever lost their authenticator: each works once. */
import { createHash, randomBytes } from 'node:crypto';
import { withoutBreaks } from '../lib/typed-code.ts';

export const recoveryCodesMade = 10;

/** Without letters that look like others. */
const letters = '0123456789abcdefghjkmnpqrstvwxyz';
const lettersPerCode = 16;

/** 80 random bits: `7h2k-09xq-m4t1-dz8p`. */
export function makeRecoveryCode(): string {
  // 256 is a multiple of 32, so the low five bits of each byte are uniform.
  const code = Array.from(randomBytes(lettersPerCode), (byte) => letters.charAt(byte & 31));
  return code.join('').replace(/(.{4})(?=.)/g, '$1-');
}

/** As people type it: in capitals, with blanks or other hyphens, with letters for digits. Null when it cannot be one. */
export function cleanRecoveryCode(text: string): string | null {
  const code = withoutBreaks(text).toLowerCase().replaceAll('o', '0').replace(/[il]/g, '1');
  return code.length === lettersPerCode ? code : null;
}

/** What is stored instead. So many random bits need no slow hash. */
export function hashRecoveryCode(code: string, userId: string): string {
  const clean = cleanRecoveryCode(code) ?? '';
  return createHash('sha256').update(`${userId}\n${clean}`).digest('hex');
}
