import { encodeBase64 } from './base64.ts';

/** Three bytes are four characters. */
const groupBytes = 3;

/** The base64 of bytes in pieces, in pieces: each alone but for the few bytes of a group across two. */
export function encodeBase64Pieces(pieces: readonly Buffer[]): Buffer[] {
  const text: Buffer[] = [];
  let carried = Buffer.alloc(0);
  for (const piece of pieces) {
    const missing = carried.length === 0 ? 0 : groupBytes - carried.length;
    const head = Buffer.concat([carried, piece.subarray(0, missing)]);
    if (head.length < groupBytes && head.length > 0) {
      carried = head;
      continue;
    }
    if (head.length > 0) text.push(encodeBase64(head));
    const rest = piece.subarray(missing);
    const end = rest.length - (rest.length % groupBytes);
    if (end > 0) text.push(encodeBase64(rest.subarray(0, end)));
    carried = Buffer.from(rest.subarray(end));
  }
  if (carried.length > 0) text.push(encodeBase64(carried));
  return text;
}
