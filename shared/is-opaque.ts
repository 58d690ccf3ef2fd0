/**
 * Whether every pixel is opaque. That there is an alpha channel does not tell: in most pictures it is 255 throughout.
 *
 * @param pixels red, green, blue and alpha of each, 8 bits each
 */
export function isOpaque(pixels: Uint8Array | Uint8ClampedArray): boolean {
  for (let at = 3; at < pixels.length; at += 4) if (pixels[at] !== 255) return false;
  return true;
}
