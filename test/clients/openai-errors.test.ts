import { randomUUID } from 'node:crypto';
import type OpenAI from 'openai';
import type { APIError } from 'openai';
import { beforeAll, describe, expect, it } from 'vitest';
import { addModel } from '../../server/flows/models/add-model.ts';
import type { ErrorCode } from '../../shared/error-codes.ts';
import { describeApi } from '../support/callers/api.ts';
import { watchArrivals } from '../support/callers/arrivals.ts';
import { openAiSdks } from '../support/callers/openai-sdks.ts';
import { spentBy } from '../support/money/spent.ts';
import { thrownBy } from '../support/thrown-by.ts';

const model = 'gen-image-2.5-flare';

interface Row {
  what: string;
  /** Whose key is sent; by default that of somebody with money. */
  as?: 'pauper' | 'stranger';
  ask: (client: OpenAI) => PromiseLike<unknown>;
  error: Pick<APIError, 'status' | 'type' | 'param'> & { name: string; code: ErrorCode };
}

const prompt = 'a red fox';
const badRequest = {
  name: 'BadRequestError',
  status: 400,
  code: 'invalid_request_error',
  type: 'invalid_request_error',
} as const;
const notFound = {
  name: 'NotFoundError',
  status: 404,
  code: 'not_found',
  type: 'invalid_request_error',
} as const;
const serverError = { name: 'InternalServerError', type: 'server_error' } as const;

const rows: readonly Row[] = [
  {
    what: 'a size that there is not',
    ask: ({ images }) => images.generate({ model, prompt, size: '256x256' }),
    error: { ...badRequest, param: 'size' },
  },
  {
    what: 'a model that there is not',
    ask: ({ images }) => images.generate({ model: 'dall-e-3', prompt }),
    error: { ...badRequest, param: 'model' },
  },
  {
    what: 'a file that is no picture',
    ask: ({ images }) => images.edit({ model, prompt, image: new File(['hello'], 'fox.png') }),
    error: { ...badRequest, param: 'image' },
  },
  {
    what: 'a prompt that the upstream refuses',
    ask: ({ images }) => images.generate({ model, prompt: 'a fox [[fail=refused]]' }),
    error: { ...badRequest, param: null },
  },
  {
    what: 'a stream whose prompt the upstream refuses',
    ask: ({ images }) => images.generate({ model, prompt: 'a fox [[fail=refused]]', stream: true }),
    error: { ...badRequest, param: null },
  },
  {
    what: 'a key that there is not',
    as: 'stranger',
    ask: ({ images }) => images.generate({ model, prompt }),
    error: {
      name: 'AuthenticationError',
      status: 401,
      code: 'unauthorized',
      type: 'invalid_request_error',
      param: null,
    },
  },
  {
    what: 'a wallet that is empty',
    as: 'pauper',
    ask: ({ images }) => images.generate({ model, prompt }),
    error: {
      name: 'RateLimitError',
      status: 429,
      code: 'insufficient_quota',
      type: 'insufficient_quota',
      param: null,
    },
  },
  {
    what: 'a model to look at that there is not',
    ask: ({ models }) => models.retrieve('dall-e-3'),
    error: { ...notFound, param: 'model' },
  },
  {
    what: 'an address that there is not',
    ask: ({ images }) => images.createVariation({ image: new File(['hello'], 'fox.png') }),
    error: { ...notFound, param: null },
  },
  {
    what: 'a model without a price',
    ask: ({ images }) => images.generate({ model: 'unpriced', prompt }),
    error: { ...serverError, status: 503, code: 'model_unavailable', param: 'model' },
  },
  {
    what: 'an upstream that may have charged for its failure',
    ask: ({ images }) => images.generate({ model, prompt: 'a fox [[fail=protocol]]' }),
    error: { ...serverError, status: 502, code: 'upstream_error', param: null },
  },
];

describeApi((api) => {
  const arrivals = watchArrivals(() => api.app);

  beforeAll(async () => {
    const unpriced = { id: 'unpriced', description: 'Not for sale', extendedQualities: false };
    await addModel(api.app.admin, unpriced);
  });

  describe.each(openAiSdks)('$name', ({ OpenAI }) => {
    const clientOf = ({ apiKey }: { apiKey: string }) =>
      new OpenAI({ apiKey, baseURL: `${api.app.baseUrl}/v1` });

    const callerOf = async (as: Row['as']) => {
      if (as === 'stranger') return { apiKey: `sk-tin-${randomUUID()}` };
      return api.app.addUser(as === 'pauper' ? { money: '0' } : {});
    };

    it.each(rows)('tells of $what, and does not ask again', async ({ as, ask, error }) => {
      const caller = await callerOf(as);
      const thrown = await thrownBy(ask(clientOf(caller)));
      if (!(thrown instanceof OpenAI.APIError)) throw thrown;
      const { status, code, type, param, requestID } = thrown;
      expect({ name: thrown.constructor.name, status, code, type, param }).toEqual(error);
      expect(requestID).toMatch(/^tr_/);
      expect(arrivals().of(caller)).toHaveLength(1);
    });

    it('tells of a stream that breaks after a partial image, which then costs nothing', async () => {
      const user = await api.app.addUser();
      const stream = await clientOf(user).images.generate({
        model,
        prompt: 'a fox [[fail=protocol@partial1]]',
        stream: true,
        partial_images: 2,
      });
      const types: string[] = [];
      const thrown = await thrownBy(
        (async () => {
          for await (const { type } of stream) types.push(type);
        })(),
      );
      expect(types).toEqual(['image_generation.partial_image']);
      expect(thrown).toBeInstanceOf(OpenAI.APIError);
      expect(thrown).toMatchObject({
        code: 'upstream_error',
        type: 'server_error',
        param: null,
        requestID: expect.stringMatching(/^tr_/),
      });
      expect(arrivals().of(user)).toHaveLength(1);
      expect(await spentBy(api.app.database, user)).toEqual([]);
    });
  });
});
