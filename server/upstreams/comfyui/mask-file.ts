import { sharp } from '../../lib/pictures/sharp.ts';
import type { InputImage } from '../upstream.ts';
import { paintMask } from '../wire/mask.ts';
import type { MaskForm } from './mask-form.ts';

/** The mask as the workflow reads it; without one, all of the picture may change. */
export async function maskFile(
  mask: InputImage | null,
  { of: reference, form }: { of: InputImage; form: MaskForm },
): Promise<Buffer> {
  const given = mask ?? { bytes: await everything(reference) };
  return form === 'alpha' ? given.bytes : await paintMask(given, 'white');
}

function everything({ width, height }: InputImage): Promise<Buffer> {
  const background = { r: 0, g: 0, b: 0, alpha: 0 };
  return sharp({ create: { width, height, channels: 4, background } })
    .png()
    .toBuffer();
}
