import { describe, expect, test } from 'vitest';
import {
  fromDataUrl,
  imagesOf,
  look,
  pictureOf,
  picturesOf,
} from '../../support/callers/answers.ts';
import { describeApi } from '../../support/callers/api.ts';
import { optionalFields, rightValues } from '../../support/callers/field-table.ts';
import { RawConnection } from '../../support/callers/raw-http.ts';
import { generation, json, smallPrompt } from '../../support/callers/ways-to-ask.ts';

describeApi((api) => {
  const generate = (fields = {}, options = {}) => api.ask(generation, fields, options);

  describe('a generation', () => {
    test('answers with the picture, what was used and what was billed', async () => {
      const answer = await generate({ prompt: 'a lighthouse in fog' });
      const { created, ...rest } = imagesOf(answer);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(Math.abs(created - Date.now() / 1000)).toBeLessThan(60);
      expect(rest).toEqual({
        data: [{ b64_json: expect.any(String), revised_prompt: 'a lighthouse in fog' }],
        size: '1024x1024',
        quality: 'medium',
        output_format: 'png',
        background: 'opaque',
        usage: {
          images: 1,
          input_tokens: expect.any(Number),
          output_tokens: expect.any(Number),
          total_tokens: expect.any(Number),
          input_tokens_details: { text_tokens: expect.any(Number), image_tokens: 0 },
        },
      });
      expect(await look(pictureOf(answer))).toMatchObject({ format: 'png', size: '1024x1024' });
    });

    test.each(rightValues(generation))('accepts $title', async ({ fields }) => {
      expect(await generate(fields)).toMatchObject({ status: 200 });
    });

    test('reads null as absent, in every field that may be absent', async () => {
      const nulls = Object.fromEntries(optionalFields(generation).map((name) => [name, null]));
      const withNulls = await generate({ ...nulls, prompt: `${smallPrompt} [[seed=1]]` });
      const without = await generate({ prompt: `${smallPrompt} [[seed=1]]` });
      expect(imagesOf(withNulls)).toEqual({
        ...imagesOf(without),
        created: imagesOf(withNulls).created,
      });
    });

    test('ignores fields that it does not know', async () => {
      const fields = { user: 'u-1', safety_identifier: 's', style: 'vivid', future: { a: [1] } };
      expect(await generate(fields)).toMatchObject({ status: 200 });
      // A field of edits is unknown here, whatever it says.
      expect(await generate({ input_fidelity: 'medium' })).toMatchObject({ status: 200 });
    });

    test('reads the quality "standard" as "auto"', async () => {
      const [standard, auto] = [await generate({ quality: 'standard' }), await generate()];
      expect(imagesOf(standard).quality).toBe(imagesOf(auto).quality);
    });

    test('ignores a query, and headers that SDKs send', async () => {
      const { body } = generation.write({});
      const answer = await api.send('POST', '/v1/images/generations?api-version=2026-01-01&a', {
        headers: {
          'content-type': 'application/json; charset=UTF-8',
          accept: 'text/event-stream',
          'openai-organization': 'org-1',
          'openai-beta': 'images=v2',
          'x-stainless-retry-count': '0',
        },
        body,
      });
      expect(imagesOf(answer).data).toHaveLength(1);
    });

    test('asks for a body that is offered, once the key is known', async () => {
      const connection = await RawConnection.open(api.app.baseUrl);
      const body = JSON.stringify({ model: 'gen-image-2', prompt: smallPrompt });
      connection.send(
        `POST ${generation.path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n` +
          `Authorization: Bearer ${api.user.apiKey}\r\nContent-Length: ${body.length}\r\n` +
          'Expect: 100-continue\r\n\r\n',
      );
      expect(await connection.answer()).toMatchObject({ status: 100 });
      connection.send(body);
      expect(await connection.answer()).toMatchObject({ status: 200 });
      connection.close();
    });

    test('takes a body in chunks, whose length nobody said', async () => {
      const { headers } = json({});
      const text = JSON.stringify({ model: 'gen-image-2', prompt: smallPrompt });
      const body = new Blob([text]).stream();
      const answer = await fetch(`${api.app.baseUrl}/v1/images/generations`, {
        method: 'POST',
        headers: { ...headers, authorization: `Bearer ${api.user.apiKey}` },
        body,
        duplex: 'half',
      });
      expect(answer.status).toBe(200);
    });
  });

  describe('the picture', () => {
    test.each(['png', 'jpeg', 'webp'])('really is a %s', async (format) => {
      const answer = await generate({ output_format: format });
      expect(imagesOf(answer).output_format).toBe(format);
      expect(await look(pictureOf(answer))).toMatchObject({ format });
    });

    test.each(['1024x1024', '1536x1024', '1024x1536'])('really measures %s', async (size) => {
      const answer = await generate({ prompt: 'a fox', size, output_format: 'jpeg' });
      expect(imagesOf(answer).size).toBe(size);
      expect(await look(pictureOf(answer))).toMatchObject({ size });
    });

    test('is told by what it is where the upstream makes another one', async () => {
      const prompt = 'a fox [[actual=320x200,low]]';
      const answer = await generate({ prompt, size: '1024x1024', quality: 'high' });
      expect(imagesOf(answer)).toMatchObject({ size: '320x200', quality: 'low' });
      expect(await look(pictureOf(answer))).toMatchObject({ size: '320x200' });
    });

    test.each(['png', 'jpeg', 'webp'])(
      'is converted to %s where the upstream makes another format',
      async (format) => {
        const other = format === 'webp' ? 'png' : 'webp';
        const prompt = `a fox [[actual=64x48,${other}]]`;
        const answer = await generate({ prompt, output_format: format });
        expect(imagesOf(answer)).toMatchObject({ output_format: format, size: '64x48' });
        expect(await look(pictureOf(answer))).toMatchObject({ format, size: '64x48' });
      },
    );

    test.each(['jpeg', 'webp'])(
      'gets larger with the output_compression of a %s',
      async (format) => {
        const fields = { prompt: 'a fox [[actual=256x256]] [[seed=3]]', output_format: format };
        const small = pictureOf(await generate({ ...fields, output_compression: 10 }));
        const large = pictureOf(await generate({ ...fields, output_compression: 95 }));
        expect(large.length).toBeGreaterThan(small.length * 1.5);
      },
    );

    test.each(['png', 'webp'])('has clear places in a transparent %s', async (format) => {
      const fields = { prompt: 'a fox [[actual=128x128]]', output_format: format };
      const clear = await generate({ ...fields, background: 'transparent' });
      expect(imagesOf(clear).background).toBe('transparent');
      expect(await look(pictureOf(clear))).toMatchObject({ isSeeThrough: true });
      const opaque = await generate({ ...fields, background: 'opaque' });
      expect(imagesOf(opaque).background).toBe('opaque');
      expect(await look(pictureOf(opaque))).toMatchObject({ isSeeThrough: false });
    });

    test.each(['png', 'jpeg', 'webp'])('comes as a data URL of a %s too', async (format) => {
      const fields = { prompt: `${smallPrompt} [[seed=4]]`, output_format: format };
      const [item] = imagesOf(await generate({ ...fields, response_format: 'url' })).data;
      expect(Object.keys(item ?? {})).toEqual(['url', 'revised_prompt']);
      const { mediaType, bytes } = fromDataUrl(item?.url ?? '');
      expect(mediaType).toBe(`image/${format}`);
      expect(bytes.equals(pictureOf(await generate(fields)))).toBe(true);
    });

    test('comes with the prompt as the upstream rewrote it', async () => {
      const answer = await generate({
        prompt: `${smallPrompt} [[revise=A “red” fox\\ at dusk 🦊]]`,
      });
      expect(imagesOf(answer).data[0]?.revised_prompt).toBe('A “red” fox\\ at dusk 🦊');
    });
  });

  describe('n pictures', () => {
    test('are different pictures, each billed', async () => {
      const user = await api.app.addUser({ money: '1' });
      const answer = await generate({ n: 3 }, { user });
      const pictures = picturesOf(answer).map((bytes) => bytes.toString('base64'));
      expect(new Set(pictures).size).toBe(3);
      expect(imagesOf(answer).usage.images).toBe(3);
      expect(answer.headers.get('x-tintype-cost')).toBe('0.12');
      expect(answer.headers.get('x-tintype-balance')).toBe('0.88');
    });
  });

  describe('a success', () => {
    test('tells what it cost and what is left', async () => {
      const user = await api.app.addUser({ money: '0.10' });
      const { headers } = await generate({}, { user });
      expect(headers.get('x-tintype-cost')).toBe('0.04');
      expect(headers.get('x-tintype-balance')).toBe('0.06');
      expect(headers.get('x-tintype-currency')).toBe('USD');
    });

    test('costs the price of its model, to the last of the money', async () => {
      const user = await api.app.addUser({ money: '0.11' });
      const flare = await generate({}, { user });
      expect(flare.headers.get('x-tintype-balance')).toBe('0.07');
      const classic = await generate({ model: 'gen-image-2' }, { user });
      expect(classic.headers.get('x-tintype-balance')).toBe('0.04');
      const last = await generate({}, { user });
      expect(last.headers.get('x-tintype-balance')).toBe('0.00');
    });
  });
});
