/** Every hostile picture, in every place that takes a picture: refused cheaply, or harmless. */
import { describe, expect, test } from 'vitest';
import { imageLimits } from '../../shared/limits.ts';
import { type Api, outcomeOf } from '../support/callers/api.ts';
import {
  dataUrl,
  dot,
  type Fields,
  formEdit,
  jsonEdit,
  type Way,
} from '../support/callers/ways-to-ask.ts';
import { hostilePictures } from './hostile-pictures.ts';
import { describeOnSqlite } from './on-sqlite.ts';

interface Place {
  name: string;
  way: Way;
  fields: (picture: Buffer) => Fields;
  param: string;
}

const places: readonly Place[] = [
  {
    name: 'a data URL',
    way: jsonEdit,
    fields: (picture) => ({ images: [{ image_url: dataUrl(picture) }] }),
    param: 'images[0].image_url',
  },
  {
    name: 'a file',
    way: formEdit,
    fields: (picture) => ({ image: picture }),
    param: 'image',
  },
  {
    name: 'a mask',
    way: jsonEdit,
    fields: (picture) => ({ mask: { image_url: dataUrl(picture) } }),
    param: 'mask.image_url',
  },
  {
    name: 'a mask in a form',
    way: formEdit,
    fields: (picture) => ({ mask: picture }),
    param: 'mask',
  },
];

describeOnSqlite((api) => {
  describe.each(places)('as $name', ({ way, fields, param }) => {
    test.each(hostilePictures)('$name harms nobody', async ({ make, isRefused }) => {
      const picture = await make();
      expect(picture.length).toBeLessThan(imageLimits.fileBytesMax);
      const user = await api.app.addUser({ money: '0.04' });
      const answer = await api.ask(way, fields(picture), { user });
      if (isRefused) expect(answer.status).toBe(400);
      if (answer.status === 200) {
        expect(answer.text).not.toContain('<script');
        return;
      }
      expect([400, 502]).toContain(answer.status);
      expect(answer.text).not.toMatch(/<script|<\?php/);
      const outcome = outcomeOf(answer);
      if (answer.status === 400) expect(outcome.param).toBe(param);
      // The money for one picture is still there.
      expect(await api.ask(way, {}, { user })).toMatchObject({ status: 200 });
    });
  });

  test('the name and the type of a file say nothing', async () => {
    const html = Buffer.from('<html>');
    for (const [name, type] of [
      ['a.png', 'image/png'],
      ['a.jpg', 'image/jpeg'],
      ['../../etc/passwd', 'image/webp'],
      ['a.svg', 'image/svg+xml'],
    ] as const) {
      expect(await sendFile(api, html, name, type)).toBe(400);
      expect(await sendFile(api, dot, name, type)).toBe(200);
    }
  });
});

async function sendFile(api: Api, bytes: Buffer, name: string, type: string): Promise<number> {
  const form = new FormData();
  form.append('model', 'gen-image-2.5-flare');
  form.append('prompt', 'a fox [[actual=32x32]]');
  form.append('image', new Blob([new Uint8Array(bytes)], { type }), name);
  const answer = await api.send('POST', formEdit.path, { body: form });
  return answer.status;
}
