/** The long side of a thumbnail. */
const thumbPixelsMax = 384;
const thumbQuality = 0.8;

export interface Thumbnail {
  /** Of the picture itself. */
  width: number;
  height: number;
  thumb: Blob;
}

/** A small WebP of a picture. Rejects when the browser cannot decode it. */
export async function makeThumbnail(image: Blob): Promise<Thumbnail> {
  const bitmap = await createImageBitmap(image);
  try {
    const { width, height } = bitmap;
    const scale = Math.min(1, thumbPixelsMax / Math.max(width, height));
    const canvas = new OffscreenCanvas(
      Math.max(1, Math.round(width * scale)),
      Math.max(1, Math.round(height * scale)),
    );
    const context = canvas.getContext('2d');
    if (!context) throw new Error('the browser cannot draw');
    context.imageSmoothingQuality = 'high';
    context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    const thumb = await canvas.convertToBlob({ type: 'image/webp', quality: thumbQuality });
    return { width, height, thumb };
  } finally {
    bitmap.close();
  }
}
