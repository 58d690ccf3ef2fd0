import { describe, expect, test } from 'vitest';
import { imageLimits } from '../../../shared/limits.ts';
import { pictureOf } from '../../support/callers/answers.ts';
import { describeApi, outcomeOf, wrong } from '../../support/callers/api.ts';
import { serveToFetch } from '../../support/callers/fetching.ts';
import { dataUrl, dot, jsonEdit } from '../../support/callers/ways-to-ask.ts';
import { makePicture, pngOfLength } from '../../support/pictures.ts';

describeApi(
  (api) => {
    const edit = (fields = {}) => api.ask(jsonEdit, fields);
    const param = 'images[0].image_url';

    describe('a reference by its address', () => {
      test('is the same as its data URL', async () => {
        const reference = await makePicture('png', { width: 30, height: 20, alpha: true });
        const { url } = await serveToFetch((_request, response) => response.end(reference));
        const prompt = 'a fox [[actual=64x64]] [[seed=5]]';
        const fields = (image_url: string) => ({
          prompt,
          images: [{ image_url }],
          mask: { image_url },
        });
        const byAddress = pictureOf(await edit(fields(`${url}/a.png?size=full`)));
        const byData = pictureOf(await edit(fields(dataUrl(reference))));
        expect(byAddress.equals(byData)).toBe(true);
      });

      test('may have 20 MiB and not a byte more', async () => {
        const largest = pngOfLength(imageLimits.fileBytesMax);
        const { url } = await serveToFetch(({ url: path }, response) =>
          response.end(path === '/largest' ? largest : Buffer.concat([largest, Buffer.alloc(1)])),
        );
        const fields = (path: string) => ({ images: [{ image_url: `${url}${path}` }] });
        expect(await edit(fields('/largest'))).toMatchObject({ status: 200 });
        expect(outcomeOf(await edit(fields('/larger')))).toEqual(wrong(param));
      });

      test('that cannot be got is a 400 and nothing is charged', async () => {
        const user = await api.app.addUser({ money: '0.04' });
        const { url } = await serveToFetch((_request, response) =>
          response.writeHead(404).end('canary-5K4'),
        );
        const images = [{ image_url: dataUrl(dot) }, { image_url: `${url}/canary-5K4` }];
        const answer = await api.ask(jsonEdit, { images }, { user });
        expect(outcomeOf(answer)).toEqual(wrong('images[1].image_url'));
        expect(answer.text).not.toContain('canary-5K4');
        expect(await api.ask(jsonEdit, {}, { user })).toMatchObject({ status: 200 });
      });

      test('that has ended since is not asked for again by a repeat', async () => {
        const user = await api.app.addUser({ money: '0.04' });
        const asked: (string | undefined)[] = [];
        const { url } = await serveToFetch(({ url: path }, response) => {
          asked.push(path);
          if (asked.length === 1) response.end(dot);
          else response.writeHead(403).end('This link has ended.');
        });
        const fields = { images: [{ image_url: `${url}/signed` }] };
        const ask = (key: string) =>
          api.ask(jsonEdit, fields, { user, headers: { 'idempotency-key': key } });
        const first = await ask('order-1');
        expect(outcomeOf(await ask('order-2'))).toEqual(wrong(param));
        const repeat = await ask('order-1');
        expect(first.status).toBe(200);
        expect(repeat.text).toBe(first.text);
        expect(repeat.headers.get('idempotent-replayed')).toBe('true');
        expect(asked).toHaveLength(2);
      });

      test('that is no picture is a 400', async () => {
        const { url } = await serveToFetch((_request, response) =>
          response.writeHead(200, { 'content-type': 'image/png' }).end('<html>'),
        );
        expect(outcomeOf(await edit({ images: [{ image_url: url }] }))).toEqual(wrong(param));
      });
    });
  },
  { config: { imageFetchPrivateHosts: ['127.0.0.1'] } },
);
