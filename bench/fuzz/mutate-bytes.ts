import type { Random } from '../storm/random.ts';

const junk = ['\0', '\r\n', '\n\n', '\ufeff', '\xff\xfe', '"', '{', '--', '%00', '\u2028', 'A'];
const repeatsMax = 200;

/** One small change somewhere: a byte, a piece that is missing, doubled, foreign or moved. */
export function mutateBytes(bytes: Buffer, random: Random): Buffer {
  const from = random.whole(0, bytes.length);
  const to = Math.min(bytes.length, from + random.whole(1, 40));
  const [before, piece, after] = [
    bytes.subarray(0, from),
    bytes.subarray(from, to),
    bytes.subarray(to),
  ];
  const put = (...parts: readonly Buffer[]) => Buffer.concat(parts);
  return random.weighted<() => Buffer>([
    [3, () => put(before, flipped(piece, random), after)],
    [2, () => put(before, after)],
    [2, () => put(before, piece, piece, after)],
    [1, () => put(before, ...Array<Buffer>(random.whole(2, repeatsMax)).fill(piece), after)],
    [3, () => put(before, oneOf(junk, random, 'latin1'), after)],
    [1, () => put(before)],
    [1, () => put(after, before)],
  ])();
}

function flipped(piece: Buffer, random: Random): Buffer {
  const changed = Buffer.from(piece);
  const at = random.whole(0, Math.max(0, piece.length - 1));
  if (piece.length > 0)
    changed.writeUInt8((piece.readUInt8(at) ^ (1 << random.whole(0, 7))) & 255, at);
  return changed;
}

function oneOf(choices: readonly string[], random: Random, encoding: BufferEncoding): Buffer {
  return Buffer.from(random.weighted(choices.map((choice) => [1, choice] as const)), encoding);
}
