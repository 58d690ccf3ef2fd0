import type { ImageRequest } from '../../../images/image-request.ts';
import { assert } from '../../../lib/assert.ts';

/** Of a model of which no picture was seen yet: a JPEG of a photograph takes less, a PNG more. */
const bytesPerPixel = 1;
/** Of a picture whose size the upstream chooses. */
const autoPixels = 1_048_576;
/** How much of the difference one smaller picture takes off what is expected. */
const forgetting = 1 / 16;

/** The memory that one request's answer is expected to take while it is made. */
export interface AnswerPlace {
  /**
   * Gives it back, once.
   *
   * @param made bytes of each picture that came: what to expect of the model from now on
   */
  leave(made: readonly number[]): void;
}

/**
 * Bounds the memory of answers that are on their way from upstreams. They cannot be refused when they
 * come, so a request is refused before it costs anything if its answer is expected to find no room. What a
 * model's pictures take is learned from those that came: at once when they grow, slowly when they shrink.
 */
export class AnswersUnderWay {
  readonly #bytesMax: number;
  /** By model. */
  readonly #pictureBytes = new Map<string, number>();
  #bytes = 0;
  #refusals = 0;

  /** @param bytesMax for all of them; one alone may expect more */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** How often there was no room. */
  get refusals(): number {
    return this.#refusals;
  }

  /** Null when there is no room now. */
  enter(model: string, request: ImageRequest): AnswerPlace | null {
    const bytes = this.#expectedOf(model, request);
    if (this.#bytes > 0 && this.#bytes + bytes > this.#bytesMax) {
      this.#refusals++;
      return null;
    }
    this.#bytes += bytes;
    let isThere = true;
    return {
      leave: (made) => {
        assert(isThere, 'a place is left once');
        isThere = false;
        this.#bytes -= bytes;
        for (const size of made) this.#learn(model, size);
      },
    };
  }

  #expectedOf(model: string, { n, partialImages, size }: ImageRequest): number {
    const each = this.#pictureBytes.get(model) ?? pixelsOf(size) * bytesPerPixel;
    // Partial images go out as they come: one at a time is there.
    return Math.ceil(each * (partialImages > 0 ? n + 1 : n));
  }

  #learn(model: string, size: number): void {
    const expected = this.#pictureBytes.get(model) ?? size;
    const next = size > expected ? size : expected - (expected - size) * forgetting;
    this.#pictureBytes.set(model, next);
  }
}

function pixelsOf(size: ImageRequest['size']): number {
  const [width, height] = size.split('x').map(Number);
  return width && height ? width * height : autoPixels;
}
