export interface Extent {
  width: number;
  height: number;
}

const square: Extent = { width: 1024, height: 1024 };

/** `1536x1024` as numbers; a square for `auto`, which says nothing yet. */
export function extentOf(size: string): Extent {
  const [, width, height] = /^(\d+)x(\d+)$/.exec(size) ?? [];
  return width && height ? { width: Number(width), height: Number(height) } : square;
}
