import { createReadStream } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type OpenAI from 'openai';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { must } from '../../server/lib/assert.ts';
import { describeApi } from '../support/callers/api.ts';
import { watchArrivals } from '../support/callers/arrivals.ts';
import { openAiSdks } from '../support/callers/openai-sdks.ts';
import { decodePicture } from '../support/decode-picture.ts';
import { spentBy } from '../support/money/spent.ts';
import { makePicture } from '../support/pictures.ts';
import { makeScratchFolder } from '../support/scratch.ts';

const model = 'gen-image-2.5-flare';
const size = '1024x1024';
const square = { format: 'png', size };

describeApi((api) => {
  const arrivals = watchArrivals(() => api.app);

  describe.each(openAiSdks)('$name', ({ OpenAI, toFile }) => {
    const clientFor = (user: { apiKey: string }) =>
      new OpenAI({ apiKey: user.apiKey, baseURL: `${api.app.baseUrl}/v1` });
    let client: OpenAI;
    let picture: Buffer;
    let mask: Buffer;

    beforeAll(async () => {
      client = clientFor(api.user);
      picture = await makePicture('png');
      mask = await makePicture('png', { alpha: true });
    });

    describe('generates', () => {
      it('a picture in base64, and says which request it was', async () => {
        const answer = await client.images.generate({ model, prompt: 'a red fox' });
        expect(await decodePicture(answer.data?.[0]?.b64_json)).toEqual(square);
        expect(answer).toMatchObject({ size, output_format: 'png', usage: { images: 1 } });
        expect(answer._request_id).toMatch(/^tr_/);
      });

      it('a picture as a data URL, which fetch and img read', async () => {
        const answer = await client.images.generate({
          model,
          prompt: 'a red fox',
          response_format: 'url',
        });
        const fetched = await fetch(must(answer.data?.[0]?.url, 'the URL'));
        expect(fetched.headers.get('content-type')).toBe('image/png');
        expect(await decodePicture(await fetched.bytes())).toEqual(square);
      });

      it('several pictures, each charged', async () => {
        const user = await api.app.addUser();
        const answer = await clientFor(user).images.generate({ model, prompt: 'owls', n: 3 });
        const pictures = answer.data?.map((item) => decodePicture(item.b64_json)) ?? [];
        expect(await Promise.all(pictures)).toEqual([square, square, square]);
        expect(answer.usage).toMatchObject({ images: 3 });
        expect(await spentBy(api.app.database, user)).toEqual(['0.12']);
      });

      it('what every option asks for', async () => {
        const answer = await client.images.generate({
          model,
          prompt: 'a red fox',
          size: '1536x1024',
          quality: 'xhigh',
          output_format: 'jpeg',
          output_compression: 60,
          background: 'opaque',
          moderation: 'low',
          n: 1,
          stream: false,
          user: 'somebody',
          style: 'natural',
        });
        const wide = { format: 'jpeg', size: '1536x1024' };
        expect(await decodePicture(answer.data?.[0]?.b64_json)).toEqual(wide);
        expect(answer).toMatchObject({
          size: '1536x1024',
          quality: 'xhigh',
          output_format: 'jpeg',
          background: 'opaque',
        });
      });

      it('a stream with the partial images that were asked for', async () => {
        const stream = await client.images.generate({
          model,
          prompt: 'a red fox',
          stream: true,
          partial_images: 2,
        });
        expect(await shown(stream)).toEqual([
          { type: 'image_generation.partial_image', partial_image_index: 0, ...square },
          { type: 'image_generation.partial_image', partial_image_index: 1, ...square },
          { type: 'image_generation.completed', usage: { images: 1 }, ...square },
        ]);
      });
    });

    describe('edits', () => {
      it('one picture', async () => {
        const image = await toFile(picture, 'fox.png');
        const answer = await client.images.edit({ model, prompt: 'add a moon', image, size });
        expect(await decodePicture(answer.data?.[0]?.b64_json)).toEqual(square);
        expect(referencesIn(answer)).toBe(1);
      });

      it('one picture as a data URL', async () => {
        const image = await toFile(picture, 'fox.png', { type: 'image/png' });
        const wanted = { model, prompt: 'add a moon', image, response_format: 'url' } as const;
        const answer = await client.images.edit(wanted);
        expect(answer.data?.[0]?.url).toMatch(/^data:image\/png;base64,iVBOR/);
      });

      it('several pictures with a mask', async () => {
        const answer = await client.images.edit({
          model,
          prompt: 'put them together',
          image: [
            await toFile(picture, 'fox.png'),
            await toFile(await makePicture('jpeg'), 'owl.jpg', { type: 'image/jpeg' }),
            await toFile(await makePicture('webp')),
          ],
          mask: await toFile(mask, 'mask.png'),
          size,
          input_fidelity: 'low',
        });
        expect(await decodePicture(answer.data?.[0]?.b64_json)).toEqual(square);
        expect(referencesIn(answer)).toBe(3);
      });

      it('with the mask that was sent', async () => {
        const edit = client.images.edit({
          model,
          prompt: 'add a moon',
          image: await toFile(picture, 'fox.png'),
          mask: await toFile(await makePicture('png', { alpha: true, width: 99 }), 'mask.png'),
        });
        await expect(edit).rejects.toMatchObject({ status: 400, param: 'mask' });
      });

      it('pictures from disk, whose length nobody announces', async () => {
        const user = await api.app.addUser();
        const folder = makeScratchFolder('clients');
        onTestFinished(() => rm(folder, { recursive: true }));
        const paths = [join(folder, 'fox.png'), join(folder, 'owl.png')];
        for (const path of paths) await writeFile(path, picture);
        const answer = await clientFor(user).images.edit({
          model,
          prompt: 'put them together',
          image: paths.map((path) => createReadStream(path)),
        });
        const { headers } = await arrivals().nth(user, 1);
        expect(headers).toMatchObject({ 'transfer-encoding': 'chunked' });
        expect(referencesIn(answer)).toBe(2);
      });

      it('a stream with the partial images that were asked for', async () => {
        const stream = await client.images.edit({
          model,
          prompt: 'add a moon',
          image: [await toFile(picture, 'fox.png')],
          size,
          stream: true,
          partial_images: 1,
        });
        expect(await shown(stream)).toEqual([
          { type: 'image_edit.partial_image', partial_image_index: 0, ...square },
          { type: 'image_edit.completed', usage: { images: 1 }, ...square },
        ]);
      });
    });

    describe('knows models', () => {
      it('by listing them', async () => {
        const ids: string[] = [];
        for await (const { id } of client.models.list()) ids.push(id);
        expect(ids.sort()).toEqual([
          'gen-image-2',
          'gen-image-2.5-flare',
          'gen-image-2.5-sunburst',
        ]);
      });

      it('one by one', async () => {
        expect(await client.models.retrieve(model)).toMatchObject({ id: model, object: 'model' });
      });
    });
  });
});

/** The events of a stream, with their pictures decoded. */
async function shown(stream: AsyncIterable<ImageEvent>) {
  const events: object[] = [];
  for await (const event of stream) {
    const { type, b64_json } = event;
    const rest =
      'partial_image_index' in event
        ? { partial_image_index: event.partial_image_index }
        : { usage: { images: imagesIn(event.usage) } };
    events.push({ type, ...rest, ...(await decodePicture(b64_json)) });
  }
  return events;
}

type ImageEvent = OpenAI.ImageGenStreamEvent | OpenAI.ImageEditStreamEvent;

/** The specification's field, of which the SDK's types know nothing. */
function imagesIn(usage: object): unknown {
  return 'images' in usage ? usage.images : undefined;
}

/** How many reference images arrived: each of the small ones above counts as one tile. */
function referencesIn({ usage }: OpenAI.ImagesResponse): number {
  const tileTokens = 65;
  return must(usage, 'the usage').input_tokens_details.image_tokens / tileTokens;
}
