import type { SharedV4Warning } from '@ai-sdk/provider';
import { UpstreamError } from '../upstream.ts';

/**
 * The SDK only warns when it leaves a mask or a reference image out. The capabilities forbid what
 * leads there; should a package change its mind about a model, the attempt fails.
 */
export function refuseSilentLoss(warnings: readonly SharedV4Warning[]): void {
  if (!warnings.some(isLoss)) return;
  throw new UpstreamError('unsupported', 'the picture was made without an input image', {
    possiblyCharged: true,
  });
}

/** Words of the packages, not of a service. */
const lossWords = /\b(?:mask|images?)\b.*\bignored\b|\bonly the first image\b/i;

function isLoss(warning: SharedV4Warning): boolean {
  switch (warning.type) {
    case 'unsupported':
    case 'compatibility':
      return warning.feature === 'mask' || warning.feature === 'files';
    case 'other':
      return lossWords.test(warning.message);
    case 'deprecated':
      return false;
  }
}
