import { describe, expect, test } from 'vitest';
import { describeApi, errorOf, outcomeOf, wrong } from '../../support/callers/api.ts';
import { dataUrl, dot, jsonEdit } from '../../support/callers/ways-to-ask.ts';

const url = dataUrl(dot);
const one = { image_url: url };

describeApi((api) => {
  const edit = (fields = {}) => api.ask(jsonEdit, fields);
  const base64 = dot.toString('base64');

  describe('references', () => {
    test.each<[string, unknown]>([
      ['null', null],
      ['text', url],
      ['one object', one],
      ['an empty list', []],
    ])('are not given as %s', async (_what, images) => {
      expect(outcomeOf(await edit({ images }))).toEqual(wrong('images'));
    });

    test.each<[string, unknown, string]>([
      ['text', url, 'images[0]'],
      ['null', null, 'images[0]'],
      ['an empty object', {}, 'images[0].image_url'],
      ['null for image_url', { image_url: null }, 'images[0].image_url'],
      ['a number for image_url', { image_url: 5 }, 'images[0].image_url'],
      ['an object for image_url', { image_url: { url } }, 'images[0].image_url'],
    ])('are not given by %s', async (_what, entry, param) => {
      expect(outcomeOf(await edit({ images: [entry] }))).toEqual(wrong(param));
      const second = param.replace('[0]', '[1]');
      expect(outcomeOf(await edit({ images: [one, entry] }))).toEqual(wrong(second));
    });

    test.each<[string, string]>([
      ['nothing', ''],
      ['bare base64', base64],
      ['a data URL without base64', `data:image/png,${base64}`],
      ['a data URL of nothing', 'data:image/png;base64,'],
      ['broken base64', `data:image/png;base64,${base64.slice(0, -2)}*=`],
      [
        'base64 with line breaks',
        `data:image/png;base64,${base64.slice(0, 8)}\n${base64.slice(8)}`,
      ],
      ['a file path', '/etc/passwd'],
      ['a file URL', 'file:///etc/passwd'],
      ['an FTP URL', 'ftp://example.com/a.png'],
      ['a URL without a host', 'http://'],
      ['a URL with a password', 'https://user:password@example.com/a.png'],
    ])('are not read from %s', async (_what, image_url) => {
      const answer = await edit({ images: [{ image_url }] });
      expect(outcomeOf(answer)).toEqual(wrong('images[0].image_url'));
    });

    test.each<[string, string]>([
      ['nothing', ''],
      ['bare base64', base64],
      ['bare base64 of many characters', base64.repeat(2_000)],
      ['a file path', '/etc/passwd'],
      ['an FTP URL', 'ftp://example.com/a.png'],
    ])('are not said to be out of reach when they are %s', async (_what, image_url) => {
      const { message } = errorOf(await edit({ images: [{ image_url }] }));
      expect(message).toBe('images[0].image_url must be a base64 data URL or an http(s) URL.');
    });

    test.each([
      ...['image', 'image[]', 'image_url'],
      ...['image_urls', 'input_images', 'reference_images'],
    ])('are not called %s', async (name) => {
      for (const given of [url, '']) {
        expect(outcomeOf(await edit({ [name]: given }))).toEqual(wrong(name));
      }
    });
  });

  test.each<[string, unknown, string]>([
    ['reference', url, 'reference images are images'],
    ['init_images', [base64], 'reference images are images'],
    ['image2', { data: base64 }, 'reference images are images'],
    ['mask_base64', base64, 'a mask is mask'],
  ])('a picture is not overlooked in %s', async (name, given, advice) => {
    const answer = await edit({ [name]: given });
    expect(outcomeOf(answer)).toEqual(wrong(name));
    expect(errorOf(answer).message).toContain(advice);
  });

  describe('a mask', () => {
    test.each<[string, unknown, string]>([
      ['text', url, 'mask'],
      ['a list', [one], 'mask'],
      ['an empty object', {}, 'mask.image_url'],
      ['null for image_url', { image_url: null }, 'mask.image_url'],
      ['more than image_url', { image_url: url, type: 'alpha' }, 'mask'],
    ])('is not given as %s', async (_what, mask, param) => {
      expect(outcomeOf(await edit({ mask }))).toEqual(wrong(param));
    });
  });

  test.each([...['mask_url', 'mask_image', 'mask_image_url', 'input_image_mask']])(
    'a mask is not called %s',
    async (name) => {
      expect(outcomeOf(await edit({ [name]: url }))).toEqual(wrong(name));
      expect(outcomeOf(await edit({ [name]: one }))).toEqual(wrong(name));
    },
  );

  test('a markup is refused', async () => {
    const answer = await edit({ markup: one });
    expect(outcomeOf(answer)).toEqual(wrong('markup'));
    expect(errorOf(answer).message).toContain('draw it into the reference image');
  });

  describe('file_id', () => {
    test.each<[string, object, string]>([
      ['the body', { file_id: 'file-1' }, 'file_id'],
      ['a reference', { images: [{ file_id: 'file-1' }] }, 'images[0].file_id'],
      ['the second reference', { images: [one, { file_id: 'file-1' }] }, 'images[1].file_id'],
      ['a reference with image_url', { images: [{ ...one, file_id: 'f' }] }, 'images[0].file_id'],
      ['the mask', { mask: { file_id: 'file-1' } }, 'mask.file_id'],
      ['the mask with image_url', { mask: { ...one, file_id: 'file-1' } }, 'mask.file_id'],
      ['another name', { image_file_id: 'file-1' }, 'image_file_id'],
    ])('is refused explicitly in %s', async (_where, fields, param) => {
      const answer = await edit(fields);
      expect(outcomeOf(answer)).toEqual(wrong(param));
      expect(errorOf(answer).message).toContain('file_id is not supported');
      expect(answer.text).not.toContain('file-1');
    });
  });

  describe('a picture by its address', () => {
    test.each([
      'http://127.0.0.1/a.png',
      'http://localhost:8080/a.png',
      'http://[::1]/a.png',
      'http://169.254.169.254/latest/meta-data/',
      'http://10.0.0.1/a.png',
      'http://0x7f.1/a.png',
    ])('is not fetched from the private %s', async (image_url) => {
      const answer = await edit({ images: [{ image_url }] });
      expect(outcomeOf(answer)).toEqual(wrong('images[0].image_url'));
      expect(answer.text).not.toContain(image_url);
      const mask = { image_url };
      expect(outcomeOf(await edit({ mask }))).toEqual(wrong('mask.image_url'));
    });
  });
});
