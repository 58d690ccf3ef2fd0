import { create as drawQr } from 'qrcode';

/** A QR code as one SVG path in a square of `size` units, one for each module. */
export function qrPath(text: string): { size: number; path: string } {
  const { modules } = drawQr(text, { errorCorrectionLevel: 'M' });
  const cells: string[] = [];
  for (let y = 0; y < modules.size; y++) {
    for (let x = 0; x < modules.size; x++) {
      if (modules.get(y, x)) cells.push(`M${x} ${y}h1v1h-1z`);
    }
  }
  return { size: modules.size, path: cells.join('') };
}
