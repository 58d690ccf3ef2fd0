/** Pictures that are drawn anew: turned as they say, in another format, or smaller. */
interface Drawing {
  width: number;
  height: number;
  type: string;
  quality?: number;
}

export async function drawImage(
  bitmap: ImageBitmap,
  { width, height, type, quality }: Drawing,
): Promise<Blob> {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('the browser cannot draw');
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, width, height);
  return canvas.convertToBlob({ type, ...(quality === undefined ? {} : { quality }) });
}

const shrinkTriesMax = 8;
const photoQuality = 0.9;

/** The same picture in at most so many bytes and pixels. */
export async function shrinkImage(
  image: Blob,
  { bytesMax, pixelsMax }: { bytesMax: number; pixelsMax: number },
): Promise<Blob> {
  const bitmap = await createImageBitmap(image);
  try {
    const { width, height } = bitmap;
    let scale = Math.min(1, Math.sqrt(pixelsMax / (width * height)), bytesMax / image.size);
    for (let tries = 0; tries < shrinkTriesMax; tries++) {
      const drawn = await drawImage(bitmap, {
        width: Math.max(1, Math.floor(width * scale)),
        height: Math.max(1, Math.floor(height * scale)),
        type: image.type,
        quality: photoQuality,
      });
      if (drawn.size <= bytesMax) return drawn;
      // A picture of half the bytes has about seven tenths of the sides.
      scale *= Math.min(0.9, Math.sqrt(bytesMax / drawn.size));
    }
    throw new Error('the picture does not become small enough');
  } finally {
    bitmap.close();
  }
}
