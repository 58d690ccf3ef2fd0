import { imageQualities } from '../../../shared/image-options.ts';
import type { Capabilities } from '../upstream.ts';
import { drawingOf, type Engine } from './settings.ts';

export function capabilitiesOf(
  { flavour, settings }: Omit<Engine, 'baseUrl'>,
  upstreamModel: string,
): Capabilities {
  const { edit } = drawingOf(settings, upstreamModel);
  return {
    generation: true,
    edit,
    referenceImagesMax: edit ? 1 : 0,
    mask: edit && flavour.hasMask,
    partialImages: flavour.hasTasks && settings.previews,
    sizes: 'exact',
    formats: ['png'],
    qualities: imageQualities,
    transparentBackground: false,
  };
}
