import type OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { describeApi } from '../support/callers/api.ts';
import { openAiSdks } from '../support/callers/openai-sdks.ts';
import { pageFetch } from '../support/callers/page-fetch.ts';
import { decodePicture } from '../support/decode-picture.ts';
import { makePicture } from '../support/pictures.ts';
import { thrownBy } from '../support/thrown-by.ts';

const model = 'gen-image-2.5-flare';
const square = { format: 'png', size: '1024x1024' };

describeApi((api) => {
  describe.each(openAiSdks)('$name in a web page of another origin', ({ OpenAI }) => {
    beforeAll(() => {
      // By these the SDK tells that it runs in a page.
      vi.stubGlobal('window', { document: {} });
    });
    afterAll(() => {
      vi.unstubAllGlobals();
    });

    function clientOf({ apiKey }: { apiKey: string }): OpenAI {
      return new OpenAI({
        apiKey,
        baseURL: `${api.app.baseUrl}/v1`,
        dangerouslyAllowBrowser: true,
        fetch: pageFetch('https://studio.example'),
      });
    }

    it('makes a picture and sees what it cost', async () => {
      const call = clientOf(api.user).images.generate({ model, prompt: 'a red fox' });
      const { data, response, request_id } = await call.withResponse();
      expect(await decodePicture(data.data?.[0]?.b64_json)).toEqual(square);
      expect(request_id).toMatch(/^tr_/);
      expect(response.headers.get('x-tintype-cost')).toBe('0.04');
      expect(response.headers.get('x-tintype-currency')).toBe('USD');
    });

    it('edits a picture', async () => {
      const image = new File([new Uint8Array(await makePicture('png'))], 'fox.png');
      const wanted = { model, prompt: 'add a moon', image, size: '1024x1024' } as const;
      const answer = await clientOf(api.user).images.edit(wanted);
      expect(await decodePicture(answer.data?.[0]?.b64_json)).toEqual(square);
    });

    it('reads a stream', async () => {
      const wanted = { model, prompt: 'a red fox', stream: true, partial_images: 1 } as const;
      const types: string[] = [];
      for await (const { type } of await clientOf(api.user).images.generate(wanted)) {
        types.push(type);
      }
      expect(types).toEqual(['image_generation.partial_image', 'image_generation.completed']);
    });

    it('lists models', async () => {
      const { data } = await clientOf(api.user).models.list();
      expect(data.map(({ id }) => id)).toContain(model);
    });

    it.each([
      ['a wrong key', 401, 'unauthorized'],
      ['an empty wallet', 429, 'insufficient_quota'],
    ])('reads why %s was refused, and that asking again is no use', async (what, status, code) => {
      const pauper = await api.app.addUser({ money: '0' });
      const caller = what === 'a wrong key' ? { apiKey: 'sk-tin-wrong' } : pauper;
      const thrown = await thrownBy(clientOf(caller).images.generate({ model, prompt: 'a fox' }));
      if (!(thrown instanceof OpenAI.APIError)) throw thrown;
      expect(thrown).toMatchObject({ status, code, requestID: expect.stringMatching(/^tr_/) });
      const headers: Headers = thrown.headers;
      expect(headers.get('x-should-retry')).toBe('false');
    });
  });
});
