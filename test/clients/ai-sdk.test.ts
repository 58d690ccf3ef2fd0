import { createOpenAI } from '@ai-sdk/openai';
import { APICallError, generateImage, type ImageModel } from 'ai';
import { expect, it } from 'vitest';
import { addModel } from '../../server/flows/models/add-model.ts';
import { setEnabledOfModel } from '../../server/flows/models/enable-model.ts';
import { mapUpstreamModel } from '../../server/flows/models/map-upstream-model.ts';
import { setPrice } from '../../server/flows/models/set-price.ts';
import { describeApi } from '../support/callers/api.ts';
import { watchArrivals } from '../support/callers/arrivals.ts';
import { amount } from '../support/console/test-admin.ts';
import { decodePicture } from '../support/decode-picture.ts';
import { spentBy } from '../support/money/spent.ts';
import { makePicture } from '../support/pictures.ts';
import { thrownBy } from '../support/thrown-by.ts';

const square = { format: 'png', size: '1024x1024' };

describeApi((api) => {
  const arrivals = watchArrivals(() => api.app);

  function modelFor({ apiKey }: { apiKey: string }, id = 'gen-image-2.5-flare'): ImageModel {
    return createOpenAI({ apiKey, baseURL: `${api.app.baseUrl}/v1` }).image(id);
  }

  it('makes a picture', async () => {
    const model = modelFor(api.user);
    const { image, usage, warnings } = await generateImage({ model, prompt: 'a red fox' });
    expect(image.mediaType).toBe('image/png');
    expect(await decodePicture(image.uint8Array)).toEqual(square);
    expect(usage).toMatchObject({ inputTokens: expect.any(Number) });
    expect(warnings).toEqual([]);
  });

  it('makes several pictures in requests of their own, each charged', async () => {
    const user = await api.app.addUser();
    const { images } = await generateImage({ model: modelFor(user), prompt: 'owls', n: 3 });
    const decoded = images.map(({ uint8Array }) => decodePicture(uint8Array));
    expect(await Promise.all(decoded)).toEqual([square, square, square]);
    expect(arrivals().of(user)).toHaveLength(3);
    expect(await spentBy(api.app.database, user)).toEqual(['0.04', '0.04', '0.04']);
  });

  it('makes several pictures in one request of a model that is offered under an ID it knows', async () => {
    const { admin } = api.app;
    const id = 'gpt-image-2';
    await addModel(admin, { id, description: 'As gen-image-2', extendedQualities: false });
    await setPrice(admin, { modelId: id, price: amount('0.05') });
    const served = { modelId: id, upstream: 'sandbox', upstreamModel: 'sandbox-classic' };
    await mapUpstreamModel(admin, served, { strictMask: false });
    await setEnabledOfModel(admin, { modelId: id, enabled: true });
    const user = await api.app.addUser();
    const { images } = await generateImage({ model: modelFor(user, id), prompt: 'owls', n: 3 });
    const decoded = images.map(({ uint8Array }) => decodePicture(uint8Array));
    expect(await Promise.all(decoded)).toEqual([square, square, square]);
    expect(arrivals().of(user)).toHaveLength(1);
    expect(await spentBy(api.app.database, user)).toEqual(['0.15']);
  });

  it('makes what its options ask for', async () => {
    const { image, providerMetadata } = await generateImage({
      model: modelFor(api.user),
      prompt: 'a red fox',
      size: '1024x1536',
      providerOptions: {
        openai: {
          quality: 'high',
          outputFormat: 'webp',
          outputCompression: 70,
          background: 'transparent',
          moderation: 'low',
          style: 'vivid',
          user: 'somebody',
        },
      },
    });
    expect(image.mediaType).toBe('image/webp');
    expect(await decodePicture(image.uint8Array)).toEqual({ format: 'webp', size: '1024x1536' });
    expect(providerMetadata).toMatchObject({
      openai: { images: [{ quality: 'high', outputFormat: 'webp', background: 'transparent' }] },
    });
  });

  it('edits pictures with a mask', async () => {
    const { image, usage } = await generateImage({
      model: modelFor(api.user),
      prompt: {
        text: 'put them together',
        images: [await makePicture('png'), await makePicture('jpeg')],
        mask: await makePicture('png', { alpha: true }),
      },
      size: '1024x1024',
      providerOptions: { openai: { inputFidelity: 'low' } },
    });
    expect(await decodePicture(image.uint8Array)).toEqual(square);
    expect(usage).toMatchObject({ inputTokens: expect.any(Number) });
  });

  it('edits one picture', async () => {
    const { image } = await generateImage({
      model: modelFor(api.user),
      prompt: { text: 'add a moon', images: [await makePicture('webp')] },
      size: '1024x1024',
    });
    expect(await decodePicture(image.uint8Array)).toEqual(square);
  });

  it('tells of a wrong request once, with code and trace ID', async () => {
    const user = await api.app.addUser();
    const model = modelFor(user);
    const thrown = await thrownBy(generateImage({ model, prompt: 'a fox', size: '1x1' }));
    if (!APICallError.isInstance(thrown)) throw thrown;
    expect(thrown).toMatchObject({
      statusCode: 400,
      message: expect.stringMatching(/^size must be/),
      data: { error: { code: 'invalid_request_error', param: 'size' } },
      responseHeaders: { 'x-request-id': expect.stringMatching(/^tr_/) },
    });
    expect(arrivals().of(user)).toHaveLength(1);
  });

  it('tells of an empty wallet', async () => {
    const model = modelFor(await api.app.addUser({ money: '0' }));
    // It asks again after any 429, whatever the answer says of that.
    const thrown = await thrownBy(generateImage({ model, prompt: 'a fox', maxRetries: 0 }));
    expect(thrown).toMatchObject({
      statusCode: 429,
      data: { error: { code: 'insufficient_quota', type: 'insufficient_quota' } },
    });
  });
});
