import { imageQualities } from '../../../shared/image-options.ts';
import type { Capabilities } from '../upstream.ts';
import type { ComfyuiSettings } from './settings.ts';
import type { Workflow } from './workflow.ts';

export function capabilitiesOf(workflow: Workflow, { previews }: ComfyuiSettings): Capabilities {
  const { images, mask, values, settings } = workflow;
  return {
    generation: images.needed === 0,
    edit: images.max > 0,
    referenceImagesMin: Math.max(1, images.needed),
    referenceImagesMax: images.max,
    mask: mask !== null,
    partialImages: previews !== 'none',
    sizes: values.has('width') && values.has('height') ? 'exact' : 'own',
    formats: ['png'],
    // Without steps to set, any quality is made alike, with a warning.
    qualities: imageQualities,
    transparentBackground: settings.transparent,
  };
}

/** Of an upstream model that is not configured. */
export const noCapabilities: Capabilities = {
  generation: false,
  edit: false,
  referenceImagesMax: 0,
  mask: false,
  partialImages: false,
  sizes: 'own',
  formats: [],
  qualities: [],
  transparentBackground: false,
};
