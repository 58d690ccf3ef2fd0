import { must } from '../../lib/assert.ts';
import type { MadePicture } from './attempts/attempt.ts';

/** What the usage record says of the pictures: the first one's, as they are alike. */
export function recordedForm(pictures: readonly MadePicture[]) {
  const first = must(pictures[0], 'the picture of a success');
  return {
    size: `${first.width}x${first.height}`,
    quality: first.quality,
    outputFormat: first.format,
  };
}
