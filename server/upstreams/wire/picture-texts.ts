import type { ByteCollector } from '../../lib/bytes/byte-collector.ts';

/** From here on a text has a picture in it, which may be much longer yet. */
const longBytesMin = 512 * 1024;
/** More memory is not taken before what fills it has begun to come. */
const expectedBytesMax = 16 * 1024 ** 2;
/** Room for what stands around a picture. */
const slackBytes = 1024;

/**
 * How long the texts of a service are that have pictures in them, lines of streams and whole documents: about as long as
 * each other. Where nobody says how long one will be, memory for it is therefore taken in one go: who doubles it on the way
 * copies everything once or twice more, and may end with twice as much as is needed.
 */
export class PictureTexts {
  #lastBytes = 0;

  /** Notes the length of a whole text. */
  note(bytes: number): void {
    if (bytes >= longBytesMin) this.#lastBytes = bytes;
  }

  /** Takes memory for the rest of a text as soon as what comes next shows that there is a picture in it. */
  makeRoom(begun: ByteCollector, comingBytes: number): void {
    const expected = this.expected(begun.length, begun.length + comingBytes);
    if (expected !== null) begun.reserve(expected);
  }

  /** How many bytes a text may be expected to have, which grows from `before` to `now`; null where nothing tells. */
  expected(before: number, now: number): number | null {
    if (this.#lastBytes === 0 || before >= longBytesMin || now < longBytesMin) return null;
    return Math.min(this.#lastBytes + slackBytes, expectedBytesMax);
  }
}
