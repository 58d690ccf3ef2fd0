/**
 * An image request as it is sent: the one object that the body, "Run again" and the snippets are
 * made of, so that they cannot differ.
 */
import type {
  ImageBackground,
  ImageFormat,
  ImageQuality,
  ImageSize,
  InputFidelity,
  Operation,
} from '../../shared/image-options.ts';

/** In the order of the API's documentation; what equals the default is left out. */
export interface OrderFields {
  model: string;
  prompt: string;
  size?: ImageSize;
  quality?: ImageQuality;
  output_format?: ImageFormat;
  output_compression?: number;
  background?: ImageBackground;
  input_fidelity?: InputFidelity;
}

export interface OrderReference {
  /** As the user knows it; never sent. */
  name: string;
  image: Blob;
}

export interface ImageOrder {
  operation: Operation;
  fields: OrderFields;
  /** How many previews the stream shows. */
  partialImages: number;
  /** In the order of the wire; a mask applies to the first. */
  references: readonly OrderReference[];
  mask: Blob | null;
}

/** The fields that make an answer a stream. */
export function streamFields({ partialImages }: ImageOrder): {
  stream: true;
  partial_images?: number;
} {
  return { stream: true, ...(partialImages > 0 ? { partial_images: partialImages } : {}) };
}

/** What `fetch` takes: JSON for a generation, a form for an edit. */
export function bodyOf(order: ImageOrder): { body: string | FormData; contentType: string | null } {
  const fields = { ...order.fields, ...streamFields(order) };
  if (order.operation === 'generation') {
    return { body: JSON.stringify(fields), contentType: 'application/json' };
  }
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
  for (const file of filesOf(order)) form.append(file.field, file.image, file.name);
  // The browser writes the type itself, with the form's boundary.
  return { body: form, contentType: null };
}

export interface OrderFile {
  field: 'image[]' | 'mask';
  name: string;
  image: Blob;
}

/** The files of an edit under the names that the wire and the snippets give them. */
export function filesOf({ references, mask }: ImageOrder): readonly OrderFile[] {
  return [
    ...references.map(({ image }, index) => ({
      field: 'image[]' as const,
      name: `reference-${index + 1}.${extensionOf(image.type)}`,
      image,
    })),
    ...(mask ? [{ field: 'mask' as const, name: 'mask.png', image: mask }] : []),
  ];
}

/** `image/jpeg` is written `jpg` in names of files. */
export function extensionOf(mediaType: string): string {
  const [, subtype = 'png'] = mediaType.split('/');
  return subtype === 'jpeg' ? 'jpg' : subtype;
}
