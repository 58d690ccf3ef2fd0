import { type EncodedImage, letGo } from '../../../lib/pictures/encoded-image.ts';

/** A connection that waits for a run's answer. */
export interface RunCaller {
  /**
   * Sends the caller a partial image. Null when that is not possible; otherwise a promise that resolves as soon as
   * the image's memory is no longer needed. It stays pending where the connection breaks before that.
   */
  onPartial: (index: number, image: EncodedImage) => Promise<void> | null;
  /** Whether its connection has ended or broken, be it after the answer was handed over. */
  hasLeft: () => boolean;
}

/** Whether anybody who has not left was shown the partial image. It is let go when all of them are done with it. */
export function showToAll(
  callers: Iterable<RunCaller>,
  index: number,
  image: EncodedImage,
): boolean {
  const sent: Promise<void>[] = [];
  for (const caller of callers) {
    const shown = caller.hasLeft() ? null : caller.onPartial(index, image);
    if (shown) sent.push(shown);
  }
  void Promise.all(sent).then(() => letGo(image));
  return sent.length > 0;
}
