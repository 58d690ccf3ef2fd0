import { type Capabilities, type ImageJob, UpstreamError } from '../upstream.ts';

/**
 * Ends a job that the upstream model cannot do, before anything is sent: what it would have to leave
 * out is part of what was asked for, not of how.
 */
export function refuseUnsupported(job: ImageJob, capabilities: Capabilities): void {
  const lacking = lackingFor(job, capabilities);
  if (lacking !== null) throw new UpstreamError('unsupported', `this model takes ${lacking}`);
}

function lackingFor(job: ImageJob, capabilities: Capabilities): string | null {
  const { operation, mask, referenceImages } = job;
  if (operation === 'generation' && !capabilities.generation) return 'no generations';
  if (operation === 'edit' && !capabilities.edit) return 'no edits';
  if (mask && !capabilities.mask) return 'no mask';
  const { referenceImagesMax } = capabilities;
  if (referenceImages.length <= referenceImagesMax) return null;
  return `at most ${referenceImagesMax} reference images`;
}
