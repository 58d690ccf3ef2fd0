import { imageFormats, imageQualities } from '../../../shared/image-options.ts';
import type { Capabilities, SizeSupport } from '../upstream.ts';
import { listedSizes } from '../wire/geometry.ts';
import type { SizeStyle, Traits } from './dialect.ts';
import { sizeFields } from './size-fields.ts';

export function capabilitiesOf(traits: Traits): Capabilities {
  const { edit, maskedEdit, quality, format } = traits;
  return {
    generation: true,
    edit: edit !== null,
    referenceImagesMax: edit?.referenceImagesMax ?? 0,
    mask: (edit?.mask ?? maskedEdit?.mask ?? null) !== null,
    ...(maskedEdit && { maskedReferenceImagesMax: maskedEdit.referenceImagesMax }),
    partialImages: traits.stream === 'openai',
    sizes: sizeSupport(traits.size),
    formats: imageFormats.filter((name) => format.words[name] !== undefined),
    qualities: imageQualities.filter(
      (name) => name === 'auto' || quality?.words[name] !== undefined,
    ),
    transparentBackground: traits.background?.words.transparent !== undefined,
  };
}

function sizeSupport(size: SizeStyle): SizeSupport {
  switch (size.as) {
    case 'pixels':
    case 'width_height':
      return listedSizes.every((each) => !sizeFields(each, size).isApproximate)
        ? 'exact'
        : 'aspect';
    case 'aspect_ratio':
      return 'aspect';
    case 'nothing':
      return 'own';
  }
}
