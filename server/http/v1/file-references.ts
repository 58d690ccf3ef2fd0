import { invalidRequest } from '../../lib/service-error.ts';
import { paramFor } from './param.ts';

/** Any spelling under which clients send the ID of an uploaded file: `file_id`, `mask[file_id]`. */
const fileReferenceName = /(?:^|[^a-z])file_?ids?(?:\[\d*\]|\])?$/i;

/** There are no uploaded files here; a request that refers to one gets an error that says so. */
export function refuseFileReferenceName(name: string): void {
  if (!fileReferenceName.test(name)) return;
  throw invalidRequest(
    paramFor(name) ?? 'file_id',
    'file_id is not supported. Send the picture itself as a file in multipart/form-data, or as ' +
      'image_url (a base64 data URL or an http(s) URL) in JSON.',
  );
}

/** The same for a JSON body: in it, in an entry of its images, and in its mask. */
export function refuseFileReferences(body: Readonly<Record<string, unknown>>): void {
  refuseMembers(body, '');
  const images = body['images'];
  if (Array.isArray(images)) {
    images.forEach((entry: unknown, index) => refuseMembers(entry, `images[${index}].`));
  } else {
    refuseMembers(images, 'images.');
  }
  refuseMembers(body['image'], 'image.');
  refuseMembers(body['mask'], 'mask.');
}

function refuseMembers(holder: unknown, prefix: string): void {
  if (typeof holder !== 'object' || holder === null) return;
  for (const [name, value] of Object.entries(holder)) {
    // Null means absent, here as everywhere.
    if (value !== null) refuseFileReferenceName(prefix + name);
  }
}
