import { type Capabilities, type ImageJob, UpstreamError } from '../upstream.ts';

/**
 * Throws `unsupported` for a job that the upstream model cannot do, before anything is sent. That is a job of which it
 * would have to leave out what was asked for, such as a mask; how well it does the rest is a matter of warnings.
 */
export function refuseUnsupported(job: ImageJob, capabilities: Capabilities): void {
  const lack = lackFor(job, capabilities);
  if (lack !== null) throw new UpstreamError('unsupported', `this model ${lack}`);
}

function lackFor(job: ImageJob, capabilities: Capabilities): string | null {
  const { operation, mask, background } = job;
  const references = job.referenceImages.length;
  const { referenceImagesMin = 1, referenceImagesMax } = capabilities;
  const { maskedReferenceImagesMax = referenceImagesMax } = capabilities;
  const most = mask ? maskedReferenceImagesMax : referenceImagesMax;
  if (operation === 'generation' && !capabilities.generation) return 'takes no generations';
  if (operation === 'edit' && !capabilities.edit) return 'takes no edits';
  if (mask && !capabilities.mask) return 'takes no mask';
  if (references > most) {
    return `takes at most ${most} reference images${mask ? ' together with a mask' : ''}`;
  }
  if (operation === 'edit' && references < referenceImagesMin) {
    return `needs at least ${referenceImagesMin} reference images`;
  }
  if (background === 'transparent' && !capabilities.transparentBackground) {
    return 'makes no transparent background';
  }
  return null;
}
