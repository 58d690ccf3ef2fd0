import { CutString } from '../../lib/bytes/json-cut.ts';
import { invalidRequest } from '../../lib/service-error.ts';
import { paramAt, paramFor } from './param.ts';

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

/** The same for a JSON body, in whatever it holds. */
export function refuseFileReferences(body: Readonly<Record<string, unknown>>): void {
  const path = findReference(body);
  if (path) refuseFileReferenceName(paramAt(path));
}

/** The depth of a body is bounded, so this may recurse. A body may have a hundred thousand members, most of no interest. */
function findReference(value: unknown): PropertyKey[] | null {
  if (typeof value !== 'object' || value === null || value instanceof CutString) return null;
  if (Array.isArray(value)) {
    for (const [index, entry] of value.entries()) {
      const path = findReference(entry);
      if (path) return [index, ...path];
    }
    return null;
  }
  for (const [name, member] of Object.entries(value)) {
    // Null means absent, here as everywhere.
    if (member !== null && fileReferenceName.test(name)) return [name];
    const path = findReference(member);
    if (path) return [name, ...path];
  }
  return null;
}
