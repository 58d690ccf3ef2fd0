/** What can be chosen in the mask editor. */
export const maskLimits = {
  /** Diameter of brush and eraser, in the picture's pixels. */
  sizeMin: 1,
  sizeMax: 300,
  sizeDefault: 60,
  /** The long side of what is painted on; the mask itself is as large as its picture. */
  workPixelsMax: 2_048,
  /** Of a mask that is brought along. */
  uploadBytesMax: 20 * 1_048_576,
  /** Width of the seam between what is new and what is kept. */
  featherMax: 64,
  featherDefault: 8,
} as const;
