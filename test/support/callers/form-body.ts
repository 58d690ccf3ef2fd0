import type { Reading } from '../services/reading-server.ts';

/** The parts of a form with the fields every request needs. */
export function wanted(fields: Record<string, string> = {}): Buffer[] {
  const all = { model: 'm', prompt: 'p', ...fields };
  return Object.entries(all).map(([name, text]) => field(name, text));
}

/** A part of a form: its header and its content, without the boundaries around it. */
export function field(name: string, text: string): Buffer {
  return Buffer.from(`Content-Disposition: form-data; name="${name}"\r\n\r\n${text}`);
}

export function file(name: string, bytes: Buffer, fileName = 'a.bin'): Buffer {
  const disposition = `form-data; name="${name}"; filename="${fileName}"`;
  const type = 'application/octet-stream';
  const header = `Content-Disposition: ${disposition}\r\nContent-Type: ${type}\r\n\r\n`;
  return Buffer.concat([Buffer.from(header), bytes]);
}

export function formOf(parts: readonly Buffer[], boundary = 'boundary') {
  const opening = Buffer.from(`--${boundary}\r\n`);
  const pieces = parts.flatMap((part) => [opening, part, Buffer.from('\r\n')]);
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: new Uint8Array(Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)])),
  };
}

/** The bytes as a stream, so that they are sent in chunks and without a Content-Length. */
export function inPieces(bytes: Uint8Array, size: number): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) controller.close();
      else controller.enqueue(bytes.slice(at, (at += size)));
    },
  });
}

/** What was read; a test that expects a request shows the refusal instead. */
export function accepted(reading: Reading) {
  if (reading.kind === 'refused') throw new Error(`${reading.param}: ${reading.message}`);
  return reading;
}
