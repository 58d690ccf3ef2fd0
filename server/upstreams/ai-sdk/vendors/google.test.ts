import { describe, expect, it } from 'vitest';
import { thrownBy } from '../../../../test/support/thrown-by.ts';
import { json } from '../../../../test/upstreams/ai-sdk-answers.ts';
import { openSdkBench, type VendorAnswer } from '../../../../test/upstreams/ai-sdk-bench.ts';
import { geminiSubject } from '../../../../test/upstreams/ai-sdk-gemini.ts';
import { promptCanary, realPicture } from '../../../../test/upstreams/jobs.ts';
import { bytesOf } from '../../../../test/upstreams/scenario.ts';

const picture = await realPicture();

function bench(answer: VendorAnswer = () => answered) {
  const { settings, upstreamModel, credential } = geminiSubject;
  return openSdkBench({
    settings,
    upstreamModel,
    answer,
    basePath: '/v1beta',
    credential: credential ?? '',
  });
}

const answered = geminiSubject.fake.picture(picture, {
  method: 'POST',
  path: '',
  headers: {},
  body: Buffer.alloc(0),
});

describe('a picture of Gemini', () => {
  it('is asked for with the proportions, and nothing of the SDK in the headers', async () => {
    const { run, sent, service } = await bench();
    await run({ size: { width: 1536, height: 1024 } });
    const [request] = service.requests;
    expect(request?.url).toBe('/v1beta/models/gemini-2.5-flash-image:generateContent');
    expect(request?.headers).toMatchObject({
      'x-goog-api-key': geminiSubject.credential,
      'user-agent': 'tintype',
      'content-type': 'application/json',
    });
    expect(sent()).toMatchObject({
      contents: [{ role: 'user', parts: [{ text: promptCanary }] }],
      generationConfig: {
        responseModalities: ['IMAGE'],
        imageConfig: { aspectRatio: '3:2' },
      },
    });
  });

  it('says nothing of proportions when any will do', async () => {
    const { run, sent } = await bench();
    await run({ size: 'auto' });
    expect(sent()).not.toHaveProperty('generationConfig.imageConfig');
  });

  it('comes with what it used and what it was made without', async () => {
    const { final } = await bench();
    const asked = { quality: 'high', format: 'webp', compression: 80, partialImages: 2 } as const;
    expect(await final({ ...asked, inputFidelity: 'high', moderation: 'low' })).toMatchObject({
      revisedPrompt: null,
      tokens: { input: 270, output: 1290, inputText: 12, inputImage: 258 },
      upstreamRequestId: 'pXkgaZ-fGrKV1MkP7tqE4Ak',
      warnings: [
        'size_approximated',
        'quality_ignored',
        'compression_ignored',
        'input_fidelity_ignored',
        'moderation_ignored',
        'partial_images_ignored',
      ],
    });
  });

  it('is told of reference images in their order, each with its type', async () => {
    const { run, edit, sent } = await bench();
    const job = await edit(3);
    await run(job);
    const inline = job.referenceImages.map(({ bytes, format }) => ({
      inlineData: { mimeType: `image/${format}`, data: bytes.toString('base64') },
    }));
    expect(sent()).toMatchObject({ contents: [{ parts: [{ text: job.prompt }, ...inline] }] });
  });

  it('takes what the administrator adds, at any depth, but not over prompt and pictures', async () => {
    const { run, edit, sent } = await bench();
    const job = await edit(1);
    const extra = {
      generationConfig: { imageConfig: { imageSize: '2K' } },
      contents: [{ role: 'user', parts: [{ text: 'Something else' }] }],
      safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }],
    };
    await run({ ...job, extra });
    expect(sent()).toMatchObject({
      contents: [{ parts: [{ text: job.prompt }, { inlineData: {} }] }],
      generationConfig: {
        responseModalities: ['IMAGE'],
        imageConfig: { aspectRatio: '1:1', imageSize: '2K' },
      },
      safetySettings: extra.safetySettings,
    });
  });

  it('is none of the drafts that the model thinks with', async () => {
    const inline = (bytes: Buffer) => ({
      inlineData: { mimeType: 'image/png', data: bytes.toString('base64') },
    });
    const parts = [
      { ...inline(await realPicture(1)), thought: true },
      { text: 'The fox should look the other way.', thought: true },
      { ...inline(picture), thoughtSignature: 'c2lnbmVk'.repeat(10_000) },
    ];
    const { final } = await bench(() =>
      json(200, { candidates: [{ content: { parts }, finishReason: 'STOP' }] }),
    );
    expect(bytesOf((await final()).image).equals(picture)).toBe(true);
  });

  it('that is short enough to stay text in its answer is the same picture', async () => {
    const short = { inlineData: { mimeType: 'image/png', data: 'AAAA' } };
    const said = { candidates: [{ content: { parts: [short] }, finishReason: 'STOP' }] };
    const { final } = await bench(() => json(200, said, { 'x-goog-request-id': 'r-7' }));
    const image = { encoding: 'base64', ascii: Buffer.from('AAAA') };
    // An answer without an identifier of its own goes by that of its headers.
    expect(await final()).toMatchObject({ image, upstreamRequestId: 'r-7' });
  });
});

describe('Gemini refuses', () => {
  it.each([
    'SAFETY',
    'RECITATION',
    'BLOCKLIST',
    'PROHIBITED_CONTENT',
    'SPII',
    'IMAGE_SAFETY',
    // What the SDK does not count among them.
    'IMAGE_PROHIBITED_CONTENT',
    'IMAGE_RECITATION',
    'MODEL_ARMOR',
  ])('the picture, by the finish reason %s', async (finishReason) => {
    const { run } = await bench(() => json(200, { candidates: [{ finishReason }] }));
    expect(await thrownBy(run())).toMatchObject({ fault: 'refused', upstreamCode: finishReason });
  });

  it('nothing by a block reason that is none', async () => {
    const { final } = await bench(() => ({
      ...answered,
      body: [
        Buffer.from(
          Buffer.concat(answered.body)
            .toString()
            .replace('{', '{"promptFeedback":{"blockReason":"BLOCK_REASON_UNSPECIFIED"},'),
        ),
      ],
    }));
    expect(await final()).toMatchObject({ image: { encoding: 'base64' } });
  });

  it('the prompt, by a block reason', async () => {
    const { run } = await bench(() =>
      json(200, { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } }),
    );
    expect(await thrownBy(run())).toMatchObject({
      fault: 'refused',
      upstreamCode: 'PROHIBITED_CONTENT',
    });
  });

  it.each(['NO_IMAGE', 'OTHER', 'MAX_TOKENS', 'STOP'])(
    'nothing by the finish reason %s, which is a failure',
    async (finishReason) => {
      const { run } = await bench(() => json(200, { candidates: [{ finishReason }] }));
      expect(await thrownBy(run())).toMatchObject({ fault: 'protocol', possiblyCharged: true });
    },
  );
});

const exceeded =
  'You exceeded your current quota, please check your plan and billing details. For more …\n' +
  '* Quota exceeded for metric: generativelanguage.googleapis.com/';

it.each([
  ['Your prepayment credits are depleted. Please go to AI Studio …', 'quota'],
  ['Your project has exceeded its monthly spending cap.', 'quota'],
  ['Resource has been exhausted (e.g. check quota).', 'busy'],
  // Of a rate, although it speaks of billing.
  ['You exceeded your current quota, please check your plan and billing details.', 'busy'],
  [`${exceeded}generate_content_paid_tier_requests, limit: 500, model: gemini-3-pro-image`, 'busy'],
  [`${exceeded}generate_content_free_tier_requests, limit: 0, model: gemini-3-pro-image`, 'quota'],
])('Gemini means with a 429 that says "%s": %s', async (message, fault) => {
  const error = { code: 429, message, status: 'RESOURCE_EXHAUSTED' };
  const { run } = await bench(() => json(429, { error }));
  expect(await thrownBy(run())).toMatchObject({ fault, upstreamCode: 'RESOURCE_EXHAUSTED' });
});

it.each([
  [
    'Organization Policy constraint constraints/vertexai.allowedModels violated for `projects/1` attempting to use a disallowed Gen AI model.',
    'unsupported',
  ],
  [
    'Publisher Model `projects/p/locations/l/publishers/google/models/m` is not servable in region l.',
    'unsupported',
  ],
  ['Project `p` is not allowed to use Publisher Model `m`', 'unsupported'],
  ['User location is not supported for the API use.', 'quota'],
])('Gemini means with a 400 that says "%s": %s', async (message, fault) => {
  const error = { code: 400, message, status: 'FAILED_PRECONDITION' };
  const { run } = await bench(() => json(400, { error }));
  expect(await thrownBy(run())).toMatchObject({ fault, upstreamCode: 'FAILED_PRECONDITION' });
});

describe('the SDK for Gemini', () => {
  it('may not ask twice for one picture, though the answer invites it to', async () => {
    const { run, service } = await bench(() =>
      json(200, { candidates: [{ finishReason: 'CONTINUATION', continuationToken: 'more' }] }),
    );
    expect(await thrownBy(run())).toMatchObject({ fault: 'protocol', possiblyCharged: true });
    expect(service.requests).toHaveLength(1);
  });

  it('makes no request of a model of another family, which it does not know', async () => {
    const { run, service } = await bench();
    const error = await thrownBy(run({ upstreamModel: 'imagen-4.0-generate-001' }));
    expect(error).toMatchObject({ fault: 'unsupported', possiblyCharged: false });
    expect(service.requests).toHaveLength(0);
  });
});

it('lists the models that make pictures, with their names', async () => {
  const list = geminiSubject.fake.modelList?.(['gemini-2.5-flash-image', 'gemini-nano-banana-2.1']);
  const { adapter, context, service } = await bench(() => list ?? null);
  expect(await adapter.listModels(context())).toEqual([
    { upstreamModel: 'gemini-2.5-flash-image', description: 'Nano Banana' },
    { upstreamModel: 'gemini-nano-banana-2.1', description: 'Nano Banana' },
  ]);
  expect(service.requests[0]?.url).toBe('/v1beta/models?pageSize=1000');
});

it('lists the others where an entry is none', async () => {
  const named = { name: 'models/gemini-2.5-flash-image', displayName: 7 };
  const models = [7, null, {}, { ...named, name: 7 }, named];
  const { adapter, context } = await bench(() => json(200, { models }));
  expect(await adapter.listModels(context())).toEqual([
    { upstreamModel: 'gemini-2.5-flash-image', description: null },
  ]);
});
