import { expect, test } from 'vitest';
import { encodeForm } from './multipart.ts';

test('writes a form that others read', async () => {
  const bytes = Buffer.from([0, 13, 10, 45, 45, 255]);
  const { contentType, body } = encodeForm([
    { name: 'prompt', text: 'Füchse\r\n--im "Schnee"' },
    { name: 'image[]', fileName: 'image-1.webp', format: 'webp', bytes },
    { name: 'image[]', fileName: 'image-2.png', format: 'png', bytes: Buffer.alloc(0) },
  ]);
  const form = await read(contentType, body);
  expect(form.get('prompt')).toBe('Füchse\r\n--im "Schnee"');
  const files = form.getAll('image[]').filter((value) => typeof value !== 'string');
  expect(files.map(({ name, type }) => [name, type])).toEqual([
    ['image-1.webp', 'image/webp'],
    ['image-2.png', 'image/png'],
  ]);
  expect(Buffer.from(await new Blob(files.slice(0, 1)).arrayBuffer())).toEqual(bytes);
});

test('lets no name end its header', async () => {
  const { contentType, body } = encodeForm([{ name: 'a"\r\nX-Evil: 1', text: 'b' }]);
  expect([...(await read(contentType, body)).keys()].length).toBe(1);
  expect(Buffer.concat(body).toString()).not.toContain('\nX-Evil');
});

test('copies no picture', () => {
  const bytes = Buffer.alloc(1000);
  const { body } = encodeForm([{ name: 'image', fileName: 'a.png', format: 'png', bytes }]);
  expect(body).toContain(bytes);
});

function read(contentType: string, body: readonly Buffer[]): Promise<FormData> {
  return new Response(Buffer.concat(body), { headers: { 'content-type': contentType } }).formData();
}
