import type { RestoredRun } from '../../../web/gallery/kept/gallery-store.ts';
import type { MaskDocument } from '../../../web/mask/mask-document.ts';

const startMs = Date.UTC(2026, 0, 1);
const minuteMs = 60_000;

/** A run for galleries to keep; later numbers were made later. Its pictures only look like some. */
export function galleryRun(number: number, changes: Partial<RestoredRun> = {}): RestoredRun {
  return {
    id: `run-${number}`,
    traceId: `tr_${number}`,
    createdAt: new Date(startMs + number * minuteMs).toISOString(),
    operation: 'generation',
    asked: { model: 'studio', prompt: `picture ${number}`, quality: 'high' },
    partialImages: 2,
    used: { size: '8x6', quality: 'high', output_format: 'png', background: 'opaque' },
    revisedPrompt: null,
    costMicros: 40_000,
    durationMs: 1_200,
    madeOf: null,
    isStarred: false,
    image: new Blob([`image ${number}`], { type: 'image/png' }),
    width: 8,
    height: 6,
    thumb: new Blob([`thumb ${number}`], { type: 'image/webp' }),
    references: [],
    mask: null,
    ...changes,
  };
}

export function maskOf(changes: Partial<MaskDocument> = {}): MaskDocument {
  return {
    width: 8,
    height: 6,
    shapes: [{ kind: 'stroke', tool: 'brush', size: 3, points: [1, 2, 3, 4] }],
    isInverted: false,
    png: new Blob(['mask'], { type: 'image/png' }),
    coverage: 0.25,
    ...changes,
  };
}

/** One of each kind: with a star, with references and a mask, and one that was put together. */
export const richRuns: readonly RestoredRun[] = [
  galleryRun(1, { isStarred: true, revisedPrompt: 'a better prompt' }),
  galleryRun(2, {
    operation: 'edit',
    references: [
      { name: 'fox.jpg', image: new Blob(['fox'], { type: 'image/jpeg' }) },
      { name: 'hen.png', image: new Blob(['hen'], { type: 'image/png' }) },
    ],
    mask: maskOf({
      shapes: [
        { kind: 'bitmap', png: new Blob(['brought along'], { type: 'image/png' }) },
        { kind: 'rectangle', tool: 'eraser', x: 1, y: 2, width: 3, height: 4 },
      ],
      isInverted: true,
      keepOutside: { feather: 8 },
    }),
  }),
  galleryRun(3, { madeOf: 'run-2', asked: { model: 'quick', prompt: '狐 "quoted" \n line' } }),
];
