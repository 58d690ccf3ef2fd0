/** From here on a line has a picture in it, which may be much longer yet. */
const longBytesMin = 512 * 1024;
/** More memory is not taken before what fills it has begun to come. */
const expectedBytesMax = 16 * 1024 ** 2;
/** Room for what stands around a picture. */
const slackBytes = 1024;

/**
 * How long the lines of a service's streams are that have pictures in them: about as long as each other. Memory for
 * one is therefore taken in one go: who doubles it on the way copies everything once or twice more.
 */
export class PictureLines {
  #lastBytes = 0;

  /** Notes the length of a whole line. */
  note(bytes: number): void {
    if (bytes >= longBytesMin) this.#lastBytes = bytes;
  }

  /**
   * How many bytes a line may be expected to have, when its length grows from `before` to `now`: null unless that tells
   * that it has a picture in it, or as long as there was none.
   */
  expected(before: number, now: number): number | null {
    if (this.#lastBytes === 0 || before >= longBytesMin || now < longBytesMin) return null;
    return Math.min(this.#lastBytes + slackBytes, expectedBytesMax);
  }
}
