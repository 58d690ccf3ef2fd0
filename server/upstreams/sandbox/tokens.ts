import type { ImageJob, UpstreamTokens } from '../upstream.ts';
import type { DrawnQuality } from './detail.ts';

/** Output tokens of a picture of 1024 × 1024, in the proportions image services bill. */
const outputTokens: Readonly<Record<DrawnQuality, number>> = {
  low: 272,
  medium: 1056,
  high: 4160,
  xhigh: 6240,
  max: 8320,
};

const tokensPerPartial = 100;
const charactersPerToken = 4;
/** References count by tiles of 512 × 512. */
const tilePixels = 512 * 512;
const tokensPerTile = { low: 65, high: 129 } as const;
const tilesMax = 16;

/** Plausible counts, so that token usage can be seen and tested without a paid service. */
export function tokensFor(
  job: ImageJob,
  drawn: { prompt: string; quality: DrawnQuality; pixels: number; partialImages: number },
): UpstreamTokens {
  const inputText = Math.ceil(drawn.prompt.length / charactersPerToken) + 1;
  const perTile = tokensPerTile[job.inputFidelity ?? 'low'];
  const inputImage = job.referenceImages.reduce((total, { width, height }) => {
    const tiles = Math.min(tilesMax, Math.max(1, Math.ceil((width * height) / tilePixels)));
    return total + tiles * perTile;
  }, 0);
  const whole = outputTokens[drawn.quality] * (drawn.pixels / (1024 * 1024));
  const output = Math.round(whole) + drawn.partialImages * tokensPerPartial;
  return { input: inputText + inputImage, output, inputText, inputImage };
}
