import sharp from 'sharp';

export interface DecodedPicture {
  format: string;
  size: string;
}

/** Decodes every pixel, so that a picture that is cut short or damaged throws. */
export async function decodePicture(picture: string | Uint8Array | undefined | null) {
  if (picture === undefined || picture === null) throw new Error('there is no picture');
  const bytes = typeof picture === 'string' ? Buffer.from(bare(picture), 'base64') : picture;
  const image = sharp(bytes);
  const { format, width, height } = await image.metadata();
  await image.raw().toBuffer();
  return { format, size: `${width}x${height}` } satisfies DecodedPicture;
}

/** Takes what comes before the base64 of a data URL away. */
function bare(text: string): string {
  return text.replace(/^data:image\/\w+;base64,/, '');
}
