import { randomBytes } from 'node:crypto';
import type { SavedFile } from './saved-file.ts';

export interface UploadFile extends SavedFile {
  bytes: Buffer;
  /** Whether a file of that name is replaced; otherwise the new one gets another name. */
  overwrite: boolean;
}

/** The multipart body of POST /upload/image, in pieces. */
export function uploadForm(file: UploadFile): { contentType: string; body: Buffer[] } {
  const boundary = `tintype-${randomBytes(16).toString('hex')}`;
  const fields = Object.entries({
    type: file.type,
    subfolder: file.subfolder,
    overwrite: String(file.overwrite),
  });
  const plain = fields.map(([name, value]) => part(boundary, `name="${name}"`, value));
  // The server goes by the file's own first bytes.
  const head = part(boundary, `name="image"; filename="${quotable(file.filename)}"`, '');
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: [
      Buffer.from([...plain, head].join('\r\n')),
      file.bytes,
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ],
  };
}

function part(boundary: string, names: string, value: string): string {
  return `--${boundary}\r\nContent-Disposition: form-data; ${names}\r\n\r\n${value}`;
}

/** As browsers write a file's name. */
function quotable(name: string): string {
  return name.replaceAll('"', '%22').replace(/[\r\n]/g, ' ');
}
