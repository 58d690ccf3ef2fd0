/** Limits of an image request that the wire contract promises; `docs/api.md` lists them. */
export const imageLimits = {
  /** Unicode code points. */
  promptCharactersMax: 32_000,
  /** Pictures per request (`n`). */
  picturesMax: 10,
  partialImagesMax: 3,
  referenceImagesMax: 16,
  /** Per reference image and mask, as a file or decoded from a data URL: 20 × 1,048,576, inclusive. */
  fileBytesMax: 20 * 1_048_576,
  /** Width × height of a reference image or mask, read from its header before anything is decoded. */
  filePixelsMax: 40_000_000,
  /** Printable ASCII characters. */
  idempotencyKeyCharactersMax: 255,
  /** Levels of nesting in a JSON body. */
  jsonDepthMax: 32,
} as const;
