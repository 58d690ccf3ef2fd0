import type { ImageSize } from '../../../../../shared/image-options.ts';

const shapes = {
  auto: null,
  '1024x1024': { width: 10, height: 10 },
  '1536x1024': { width: 12, height: 8 },
  '1024x1536': { width: 8, height: 12 },
} as const;

/** The shape of a picture, next to its ratio. */
export function SizeGlyph({ size }: { size: ImageSize }) {
  const shape = shapes[size];
  if (!shape) return null;
  const { width, height } = shape;
  return (
    <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden>
      <rect
        x={(14 - width) / 2}
        y={(14 - height) / 2}
        width={width}
        height={height}
        fill="none"
        stroke="currentColor"
      />
    </svg>
  );
}
