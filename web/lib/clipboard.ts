/** The clipboard is there on https and on this machine only; elsewhere the old way still works. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const { activeElement: before } = document;
  const area = document.createElement('textarea');
  area.value = text;
  area.readOnly = true;
  area.className = 'sr-only';
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  // The field had the focus, and took it along.
  if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  if (!isCopied) throw new Error('the browser did not copy');
  return undefined;
}

/** A picture as PNG: what every clipboard takes. */
export async function copyImage(image: Blob): Promise<void> {
  // The promise goes into the call itself: Safari refuses a write after somebody was waited for.
  await navigator.clipboard.write([new ClipboardItem({ 'image/png': asPng(image) })]);
}

async function asPng(image: Blob): Promise<Blob> {
  if (image.type === 'image/png') return image;
  const bitmap = await createImageBitmap(image);
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
  bitmap.close();
  return canvas.convertToBlob({ type: 'image/png' });
}
