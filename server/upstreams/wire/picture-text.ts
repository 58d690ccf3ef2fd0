/** Pictures as they stand in JSON: base64 text and data URLs, never a JavaScript string of their size. */
import { randomBytes } from 'node:crypto';
import type { BodyPiece } from '../../lib/bytes/body-pieces.ts';
import { CutString } from '../../lib/bytes/json-cut.ts';
import { isBase64, withoutLineBreaks } from '../../lib/pictures/base64.ts';
import { Base64Piece } from '../../lib/pictures/base64-pieces.ts';
import type { EncodedImage } from '../../lib/pictures/encoded-image.ts';

/** A string value of a parsed answer as bytes; null when it is not a string. */
export function textBytes(value: unknown): Buffer | null {
  if (value instanceof CutString) return value.bytes;
  return typeof value === 'string' ? Buffer.from(value, 'utf8') : null;
}

const dataUrlHeadCharactersMax = 200;

/** A picture given as base64 or as a base64 data URL, in lines or in one; null when it is neither of them. */
export function pictureOfText(value: unknown): EncodedImage | null {
  const bytes = textBytes(value);
  if (!bytes || bytes.length === 0) return null;
  if (bytes.toString('latin1', 0, 5).toLowerCase() !== 'data:') {
    return base64Image(bytes);
  }
  const comma = bytes.subarray(0, dataUrlHeadCharactersMax).indexOf(',');
  if (comma === -1) return null;
  const head = bytes.toString('latin1', 0, comma).toLowerCase();
  return head.endsWith(';base64') ? base64Image(bytes.subarray(comma + 1)) : null;
}

function base64Image(ascii: Buffer): EncodedImage {
  return { encoding: 'base64', ascii: withoutLineBreaks(ascii) };
}

/**
 * Whether a partial image may be passed on as it is. It goes into an event between quotes, so its
 * base64 must be nothing else; whether it is a whole picture is nobody's concern.
 */
export function isShowable(image: EncodedImage): boolean {
  return image.encoding === 'raw' || isBase64(image.ascii);
}

interface PictureBytes {
  readonly bytes: Buffer | readonly Buffer[];
  /** The same, of a picture that is made one only when its bytes are asked for. */
  readonly pieces?: readonly Buffer[];
  readonly format: string;
}

/** Stands for bytes in a value given to {@link jsonBody}: their base64, after a prefix. */
export class Base64Text {
  readonly pieces: readonly Buffer[];
  readonly prefix: string;

  constructor(bytes: Buffer | readonly Buffer[], prefix = '') {
    this.pieces = Buffer.isBuffer(bytes) ? [bytes] : bytes;
    this.prefix = prefix;
  }

  static dataUrl(picture: PictureBytes): Base64Text {
    return new Base64Text(picture.pieces ?? picture.bytes, `data:image/${picture.format};base64,`);
  }
}

/** JSON of a value with {@link Base64Text} in it, which becomes text only while it is sent. */
export function jsonBody(value: unknown): readonly BodyPiece[] {
  // Nobody who wrote the value knows the marker, so nothing else in it looks like a place.
  const marker = randomBytes(16).toString('hex');
  const found: Base64Text[] = [];
  const text = JSON.stringify(value, (_name, member: unknown) => {
    if (!(member instanceof Base64Text)) return member;
    found.push(member);
    return marker;
  });
  return text.split(`"${marker}"`).flatMap((piece, index): BodyPiece[] => {
    const picture = found[index - 1];
    if (!picture) return [Buffer.from(piece, 'utf8')];
    const before = Buffer.from(JSON.stringify(picture.prefix).slice(0, -1));
    const quoted = Buffer.from(`"${piece}`, 'utf8');
    return [before, new Base64Piece(picture.pieces), quoted];
  });
}
