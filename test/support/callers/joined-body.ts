import { type BodyPiece, blocksOf } from '../../../server/lib/bytes/body-pieces.ts';

/** The body of a request as it goes out, in one. */
export function joinedBody(body: readonly BodyPiece[]): Buffer {
  return Buffer.concat([...blocksOf(body, 64 * 1024)]);
}
