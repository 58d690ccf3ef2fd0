import { randomBytes } from 'node:crypto';
import type { ImageFormat } from '../../../shared/image-options.ts';

/** One part of a form: text, or a picture as a file. */
export type FormPart =
  | { name: string; text: string }
  | { name: string; fileName: string; format: ImageFormat; bytes: Buffer | readonly Buffer[] };

export interface EncodedForm {
  contentType: string;
  /** The pictures' own buffers stand in it: nothing of their size is copied. */
  body: readonly Buffer[];
}

/** `multipart/form-data` as RFC 7578 has it, names escaped as browsers do. */
export function encodeForm(parts: readonly FormPart[]): EncodedForm {
  const boundary = `tintype-${randomBytes(16).toString('hex')}`;
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: [
      ...parts.flatMap((part) => [
        Buffer.from(`--${boundary}\r\n${headOf(part)}\r\n\r\n`),
        ...contentOf(part),
        Buffer.from('\r\n'),
      ]),
      Buffer.from(`--${boundary}--\r\n`),
    ],
  };
}

function contentOf(part: FormPart): readonly Buffer[] {
  if (!('bytes' in part)) return [Buffer.from(part.text)];
  return Buffer.isBuffer(part.bytes) ? [part.bytes] : part.bytes;
}

function headOf(part: FormPart): string {
  const disposition = `Content-Disposition: form-data; name="${escaped(part.name)}"`;
  if (!('bytes' in part)) return disposition;
  return `${disposition}; filename="${escaped(part.fileName)}"\r\nContent-Type: image/${part.format}`;
}

function escaped(name: string): string {
  return name.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22');
}
