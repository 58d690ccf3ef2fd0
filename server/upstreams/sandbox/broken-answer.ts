import type { BrokenAnswer } from './directives.ts';

/** Enough of the file for its format and size still to be read from its header. */
const headerBytesKept = 24;

/** What an engine that went wrong might send instead of `file`. */
export function brokenAnswer(kind: BrokenAnswer, file: Buffer): Buffer {
  switch (kind) {
    case 'corrupt':
      return Buffer.concat([
        file.subarray(0, headerBytesKept),
        Buffer.alloc(Math.max(0, file.length - headerBytesKept), 0x5a),
      ]);
    case 'truncate':
      return file.subarray(0, Math.floor(file.length / 2));
    case 'empty':
      return Buffer.alloc(0);
    case 'text':
      return Buffer.from(
        '<!doctype html><html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>\n',
      );
  }
}
