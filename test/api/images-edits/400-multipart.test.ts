import { describe, expect, test } from 'vitest';
import { describeApi, errorOf, outcomeOf, wrong } from '../../support/callers/api.ts';
import { field, file, wanted, formOf as writeForm } from '../../support/callers/form-body.ts';
import { dataUrl, dot, formEdit, json } from '../../support/callers/ways-to-ask.ts';

const canary = 'canary-6D3';
const fields = { model: 'gen-image-2.5-flare', prompt: canary };

describeApi((api) => {
  const edit = (more = {}) => api.ask(formEdit, more);
  const post = (headers: Record<string, string>, body: Uint8Array<ArrayBuffer> | string) =>
    api.send('POST', formEdit.path, { headers, body });
  const send = (...parts: Buffer[]) => {
    const { headers, body } = writeForm([...wanted(fields), ...parts]);
    return post(headers, body);
  };

  describe('pictures in a form', () => {
    test.each(['image', 'image[]', 'mask'])('are not text in %s', async (name) => {
      const answer = await edit({ image: [], [name]: dataUrl(dot) });
      expect(outcomeOf(answer)).toEqual(wrong(name === 'mask' ? 'mask' : 'image'));
      expect(errorOf(answer).message).toContain('files');
    });

    test.each(['images', 'image_url', 'mask[image_url]', 'image[0][image_url]'])(
      'are not given as %s',
      async (name) => {
        expect(outcomeOf(await edit({ [name]: dataUrl(dot) })).status).toBe(400);
      },
    );

    test('are not files of any other name', async () => {
      expect(outcomeOf(await edit({ picture: dot }))).toEqual(wrong(null));
      expect(outcomeOf(await edit({ prompt: dot }))).toEqual(wrong('prompt'));
    });

    test('include no second mask', async () => {
      expect(outcomeOf(await edit({ mask: [dot, dot] }))).toEqual(wrong('mask'));
    });
  });

  describe('file_id', () => {
    test.each(['file_id', 'image_file_id', 'image[file_id]', 'mask[file_id]', 'image[0][file_id]'])(
      'is refused explicitly as %s',
      async (name) => {
        const answer = await edit({ [name]: 'file-1' });
        expect(outcomeOf(answer)).toEqual(wrong(name));
        expect(errorOf(answer).message).toContain('file_id is not supported');
        expect(answer.text).not.toContain('file-1');
      },
    );
  });

  describe('a field', () => {
    test.each(['prompt', 'model', 'n', 'size'])(
      '%s is not sent twice with different values',
      async (name) => {
        const { headers, body } = writeForm([
          ...wanted({ ...fields, n: '1', size: 'auto' }),
          field(name, '2'),
          file('image', dot),
        ]);
        expect(outcomeOf(await post(headers, body))).toEqual(wrong(name));
      },
    );
  });

  describe('a form', () => {
    const whole = writeForm([...wanted(fields), file('image', dot)]);
    const text = Buffer.from(whole.body).toString('latin1');
    const type = whole.headers['content-type'];

    test.each<[string, Record<string, string>, string]>([
      ['without a boundary', { 'content-type': 'multipart/form-data' }, text],
      ['with another boundary', { 'content-type': `${type}x` }, text],
      ['that is empty', { 'content-type': type }, ''],
      ['that is cut off', { 'content-type': type }, text.slice(0, -30)],
      ['that ends in a part’s header', { 'content-type': type }, text.slice(0, 60)],
      ['of parts without names', { 'content-type': type }, text.replaceAll('name=', 'nome=')],
      ['that is JSON', { 'content-type': type }, JSON.stringify(fields)],
      ['of another kind', { 'content-type': 'multipart/mixed; boundary=boundary' }, text],
      ['that is text', { 'content-type': 'text/plain' }, text],
    ])('%s is refused', async (_what, headers, body) => {
      const answer = await post(headers, new Uint8Array(Buffer.from(body, 'latin1')));
      expect(outcomeOf(answer)).toEqual(wrong(null));
      expect(answer.text).not.toContain(canary);
    });

    test('sent as JSON is refused', async () => {
      expect(outcomeOf(await post(json({}).headers, text))).toEqual(wrong(null));
    });

    test('of more than 100 parts is refused', async () => {
      const more = Array.from({ length: 101 }, (_, index) => field(`extra-${index}`, 'x'));
      expect(outcomeOf(await send(file('image', dot), ...more))).toEqual(wrong(null));
    });

    test('needs valid UTF-8 in its texts', async () => {
      const part = Buffer.concat([field('user', ''), Buffer.from([0xff])]);
      const broken = Buffer.concat([field('size', ''), Buffer.from([0xff, 0xfe])]);
      expect(await send(file('image', dot), part)).toMatchObject({ status: 200 });
      expect(outcomeOf(await send(file('image', dot), broken))).toEqual(wrong('size'));
    });
  });
});
