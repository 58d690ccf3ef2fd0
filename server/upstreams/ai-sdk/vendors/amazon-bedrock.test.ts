import sharp from 'sharp';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { noSignal } from '../../../../test/support/services/outgoing.ts';
import { thrownBy } from '../../../../test/support/thrown-by.ts';
import { json } from '../../../../test/upstreams/ai-sdk-answers.ts';
import { openSdkBench, type VendorAnswer } from '../../../../test/upstreams/ai-sdk-bench.ts';
import { promptCanary, realPicture } from '../../../../test/upstreams/jobs.ts';
import { systemClock } from '../../../lib/clock.ts';
import type { GuardedHttp } from '../../../lib/outgoing/guarded-http.ts';
import { aiSdkKind } from '../adapter.ts';
import { signAws } from '../aws-signature.ts';
import { settingsSchema } from '../settings.ts';
import { amazonBedrock } from './amazon-bedrock.ts';

const picture = await realPicture();
const made = json(200, { images: [picture.toString('base64')] });
const access = { accessKeyId: 'AKIDFAKE00000000', secretAccessKey: 'secret/of+forty0characters' };

function bench(
  answer: VendorAnswer = () => made,
  credential = 'bedrock-api-key-fake',
  upstreamModel = 'amazon.nova-canvas-v1:0',
) {
  const settings = { provider: 'amazon-bedrock', region: 'eu-west-1' };
  return openSdkBench({ settings, upstreamModel, answer, credential });
}

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('a picture of Bedrock', () => {
  it('is asked for with its size and quality, by the API key', async () => {
    const { final, sent, service } = await bench();
    const { image, warnings } = await final({
      size: { width: 1536, height: 1024 },
      quality: 'high',
    });
    expect(service.requests[0]).toMatchObject({
      url: '/model/amazon.nova-canvas-v1%3A0/invoke',
      headers: { authorization: 'Bearer bedrock-api-key-fake' },
    });
    expect(sent()).toEqual({
      taskType: 'TEXT_IMAGE',
      textToImageParams: { text: promptCanary },
      imageGenerationConfig: {
        width: 1536,
        height: 1024,
        numberOfImages: 1,
        quality: 'premium',
        seed: expect.any(Number),
      },
    });
    expect(image).toEqual({ encoding: 'base64', ascii: Buffer.from(picture.toString('base64')) });
    expect(warnings).toEqual([]);
  });

  it.each([
    ['auto', undefined],
    ['low', 'standard'],
    ['medium', 'standard'],
    ['high', 'premium'],
  ] as const)('of the quality %s is asked for as %s', async (quality, word) => {
    const { final, sent } = await bench();
    expect((await final({ quality })).warnings).toEqual([]);
    const said = { width: 1024, height: 1024, numberOfImages: 1, ...(word && { quality: word }) };
    expect(sent()).toMatchObject({ imageGenerationConfig: said });
    if (!word) expect(sent()).not.toHaveProperty('imageGenerationConfig.quality');
  });

  it.each([
    [1024, 1024, { width: 1024, height: 1024 }],
    [1536, 1024, { width: 1152, height: 768 }],
    [1024, 1536, { width: 768, height: 1152 }],
  ])('of Titan, which has its own sizes, for %i x %i has %j', async (width, height, size) => {
    const { final, sent } = await bench(undefined, undefined, 'amazon.titan-image-generator-v2:0');
    const { warnings } = await final({ size: { width, height } });
    expect(sent()).toMatchObject({ imageGenerationConfig: size });
    expect(warnings).toEqual(['size_approximated']);
  });

  it.each([
    ['amazon.nova-canvas-v1:0', 858_993_459],
    ['amazon.titan-image-generator-v2:0', 2_147_483_646],
  ])('of %s is another than the one before, of the same prompt', async (upstreamModel, seedMax) => {
    const { run, edit, sent } = await bench(undefined, undefined, upstreamModel);
    const reference = await edit(1);
    for (let pictureIndex = 0; pictureIndex < 20; pictureIndex++) await run({ pictureIndex });
    await run({ attempt: 2 });
    await run({ ...reference, pictureIndex: 1 });
    const schema = z.object({ imageGenerationConfig: z.object({ seed: z.int() }) });
    const seedAt = (index: number) => schema.parse(sent(index)).imageGenerationConfig.seed;
    const seeds = Array.from({ length: 20 }, (_, index) => seedAt(index));
    expect(new Set(seeds).size).toBe(20);
    // 0 counts as none with the SDK.
    expect(Math.min(...seeds)).toBeGreaterThan(0);
    expect(Math.max(...seeds)).toBeLessThanOrEqual(seedMax);
    expect([seedAt(20), seedAt(21)]).toEqual(seeds.slice(0, 2));
  });

  it('is signed for with an access key, the pictures included', async () => {
    const { run, edit, service } = await bench(
      () => made,
      `${access.accessKeyId}:${access.secretAccessKey}:session/token==`,
    );
    await run(await edit(2));
    const [request] = service.requests;
    const { 'x-amz-date': date = '', authorization } = request?.headers ?? {};
    const signed = signAws(
      {
        method: 'POST',
        url: new URL(request?.url ?? '', service.origin),
        body: [request?.body ?? Buffer.alloc(0)],
      },
      { ...access, sessionToken: 'session/token==' },
      { region: 'eu-west-1', service: 'bedrock', nowMs: readTime(String(date)) },
    );
    expect(authorization).toBe(signed['authorization']);
    expect(request?.headers['x-amz-security-token']).toBe('session/token==');
  });

  it('is a variation of up to five reference images', async () => {
    const { run, edit, sent } = await bench();
    const job = await edit(3);
    await run(job);
    const [png, jpeg] = job.referenceImages.map(({ bytes }) => bytes.toString('base64'));
    expect(sent()).toMatchObject({
      taskType: 'IMAGE_VARIATION',
      imageVariationParams: { images: [png, jpeg, expect.any(String)], text: job.prompt },
    });
    const tooMany = await thrownBy(run(await edit(6)));
    expect(tooMany).toMatchObject({ fault: 'unsupported' });
  });

  it('is a variation of a WebP too, which goes out as the PNG that Amazon reads', async () => {
    const { run, edit, sent } = await bench();
    const { referenceImages, ...job } = await edit(3);
    const [, , webp] = referenceImages;
    await run({ ...job, referenceImages: webp ? [webp] : [] });
    const schema = z.object({
      imageVariationParams: z.object({ images: z.tuple([z.string()]) }),
    });
    const [image] = schema.parse(sent()).imageVariationParams.images;
    const given = sharp(webp?.bytes);
    const received = sharp(Buffer.from(image, 'base64'));
    expect((await given.metadata()).format).toBe('webp');
    expect((await received.metadata()).format).toBe('png');
    expect(await received.raw().toBuffer()).toEqual(await given.raw().toBuffer());
  });

  it('is asked for nowhere that the environment says', async () => {
    vi.stubEnv('AWS_BEARER_TOKEN_BEDROCK', 'key-of-the-environment');
    vi.stubEnv('AWS_ENDPOINT_URL_BEDROCK_RUNTIME', 'http://127.0.0.1:9');
    vi.stubEnv('AWS_REGION', 'xx-nowhere-1');
    const { final, service } = await bench();
    await final();
    expect(service.requests[0]?.headers.authorization).toBe('Bearer bedrock-api-key-fake');
  });
});

describe('Bedrock refuses', () => {
  it.each<[string, VendorAnswer]>([
    ['a request, by its status', () => json(200, { status: 'Request Moderated' })],
    [
      'a picture, by words in its place',
      () => json(200, { images: [], error: 'Blocked by our content filters.' }),
    ],
    [
      'a prompt, by words alone',
      () =>
        json(
          400,
          { message: 'This request has been blocked by our content filters.' },
          { 'x-amzn-errortype': 'ValidationException:http://internal.amazon.com/' },
        ),
    ],
  ])('%s', async (_what, answer) => {
    const { run } = await bench(answer);
    expect(await thrownBy(run())).toMatchObject({ fault: 'refused' });
  });

  it('nothing by other words in place of a picture', async () => {
    const { run } = await bench(() => json(200, { images: [], error: 'Something went wrong.' }));
    expect(await thrownBy(run())).toMatchObject({ fault: 'protocol', possiblyCharged: true });
  });
});

it.each([
  [400, 'ValidationException', 'bad_request'],
  [400, 'ServiceQuotaExceededException', 'quota'],
  [403, 'AccessDeniedException', 'auth'],
  [404, 'ResourceNotFoundException', 'unsupported'],
  [408, 'ModelTimeoutException', 'timeout'],
  [424, 'ModelErrorException', 'unavailable'],
  [429, 'ThrottlingException', 'busy'],
])('an answer of %i with the type %s is %s', async (status, upstreamCode, fault) => {
  const { run } = await bench(() =>
    json(status, { message: 'Words of Amazon.' }, { 'x-amzn-errortype': upstreamCode }),
  );
  expect(await thrownBy(run())).toMatchObject({ fault, upstreamCode });
  const address = { 'x-amzn-errortype': `${upstreamCode}:http://internal.amazon.com/coral/` };
  const withAddress = await bench(() => json(status, { message: 'Words of Amazon.' }, address));
  expect(await thrownBy(withAddress.run())).toMatchObject({ fault, upstreamCode });
});

it.each([
  [403, 'AccessDeniedException', "You don't have access to the model with the specified model ID."],
  [400, 'ValidationException', 'The provided model identifier is invalid.'],
  [
    400,
    'ValidationException',
    'Invocation of model ID amazon.nova-canvas-v1:0 with on-demand throughput isn’t supported.',
  ],
])(
  'of a model that is not there, %i and %s leave the key alone: %s',
  async (status, type, message) => {
    const { run } = await bench(() => json(status, { message }, { 'x-amzn-errortype': type }));
    expect(await thrownBy(run())).toMatchObject({
      fault: 'unsupported',
      upstreamCode: type,
    });
  },
);

it('lists Amazon’s image models of the region, signed too', async () => {
  const list = {
    modelSummaries: [
      { modelId: 'amazon.nova-canvas-v1:0', modelName: 'Nova' },
      { modelId: 'stability.sd3-5-large-v1:0', modelName: 'SD3.5' },
    ],
  };
  const { adapter, context, service } = await bench(
    () => json(200, list),
    `${access.accessKeyId}:${access.secretAccessKey}`,
  );
  expect(await adapter.listModels(context())).toEqual([
    { upstreamModel: 'amazon.nova-canvas-v1:0', description: 'Nova' },
  ]);
  expect(service.requests[0]?.url).toBe('/foundation-models?byOutputModality=IMAGE');
  expect(service.requests[0]?.headers.authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=AKID/);
});

it('lists the others where an entry is none', async () => {
  const named = { modelId: 'amazon.nova-canvas-v1:0', modelName: 7 };
  const modelSummaries = [7, null, {}, { ...named, modelId: 7 }, named];
  const { adapter, context } = await bench(() => json(200, { modelSummaries }));
  expect(await adapter.listModels(context())).toEqual([
    { upstreamModel: 'amazon.nova-canvas-v1:0', description: null },
  ]);
});

it.each([
  [
    'https://bedrock-runtime.us-west-2.amazonaws.com',
    ['https://bedrock-runtime.us-west-2.amazonaws.com', 'https://bedrock.us-west-2.amazonaws.com'],
  ],
  ['https://bedrock-runtime.example.org', ['https://bedrock-runtime.example.org']],
])('with the base URL %s it asks at no host but %j', async (baseUrl, hosts) => {
  const opened: string[] = [];
  const asked: string[] = [];
  const refused = new Error('the test has no network');
  const fails = () => Promise.reject(refused);
  const http: GuardedHttp = {
    send: ({ url }) => {
      asked.push(url.origin);
      return fails();
    },
    download: fails,
    fetch: fails,
    openSocket: fails,
    close: async () => {},
  };
  const config = { name: 'bench', baseUrl, settings: { provider: 'amazon-bedrock' } };
  const adapter = aiSdkKind.create(config, ({ origins }) => {
    opened.push(...origins);
    return http;
  });
  const context = { signal: noSignal, clock: systemClock, credential: 'bedrock-api-key-fake' };
  await expect(adapter.listModels(context)).rejects.toMatchObject({ fault: 'protocol' });
  expect(opened).toEqual(hosts);
  expect(asked).toEqual(hosts.slice(-1));
});

it.each([
  [null, 'https://bedrock-runtime.us-east-1.amazonaws.com'],
  ['eu-central-1', 'https://bedrock-runtime.eu-central-1.amazonaws.com'],
  ['cn-north-1', 'https://bedrock-runtime.cn-north-1.amazonaws.com.cn'],
])('is at home in the region %s', (region, home) => {
  expect(amazonBedrock.home(settingsSchema.parse({ region }))).toBe(home);
});

/** `20150830T123600Z` */
function readTime(date: string): number {
  return Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)/, '$1-$2-$3T$4:$5:'));
}

it('of an account that may not use it yet, 400 and ValidationException are about the key', async () => {
  const type = 'ValidationException';
  const { run } = await bench(() =>
    json(400, { message: 'Operation not allowed' }, { 'x-amzn-errortype': type }),
  );
  expect(await thrownBy(run())).toMatchObject({ fault: 'auth', upstreamCode: type });
});
