/**
 * What somebody typed or pasted of a code, without all that is only there to be read: blanks and hyphens. Mail
 * programs and word processors make other hyphens of ours, and leave marks that nobody sees; East Asian
 * keyboards have wide letters.
 */
export function withoutBreaks(text: string): string {
  return text.normalize('NFKC').replace(/[\s\p{Pd}\p{Cf}\u2212]/gu, '');
}
