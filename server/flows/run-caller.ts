import { type EncodedImage, letGo } from '../lib/encoded-image.ts';

/** A connection that waits for a run's answer. */
export interface RunCaller {
  /**
   * Shows a partial image. Null when that was not possible; otherwise what resolves, if ever, when
   * the image's memory is needed no more.
   */
  onPartial: (index: number, image: EncodedImage) => Promise<void> | null;
  /** Whether its connection ended or broke, if only after the answer was handed over. */
  hasLeft: () => boolean;
}

/** Whether anybody was shown the partial image. It is let go when all of them are done with it. */
export function showToAll(
  callers: Iterable<RunCaller>,
  index: number,
  image: EncodedImage,
): boolean {
  const sent: Promise<void>[] = [];
  for (const caller of callers) {
    const shown = caller.onPartial(index, image);
    if (shown) sent.push(shown);
  }
  void Promise.all(sent).then(() => letGo(image));
  return sent.length > 0;
}
