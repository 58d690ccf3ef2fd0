import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import {
  type Answerer,
  noSignal,
  openTestHttp,
  serve,
} from '../../../test/support/services/outgoing.ts';
import { thrownBy } from '../../../test/support/thrown-by.ts';
import { describeContract } from '../../../test/upstreams/contract.ts';
import { generationJob } from '../../../test/upstreams/jobs.ts';
import { openaiResponsesSubject } from '../../../test/upstreams/openai-responses.ts';
import { ServiceError } from '../../lib/service-error.ts';
import { type Fault, UpstreamError, type UpstreamEvent } from '../upstream.ts';
import { openaiResponsesKind } from './adapter.ts';
import { imageModels } from './image-models.ts';
import { responsesLimits } from './settings.ts';

const { modelCharactersMax, listedModelsMax } = responsesLimits;

describeContract(openaiResponsesSubject);
describe('a picture', () => {
  it('is handed over while the service is still writing, its connection closed', async () => {
    const [upToThePicture = ''] = recorded('picture.sse').split(/(?=event: .*\n.*"msg_)/);
    const left = Promise.withResolvers<void>();
    const service = await serve((_request, response) => {
      response.on('close', left.resolve);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(upToThePicture);
    });
    const events = await run(service.origin);
    expect(events.map(({ kind }) => kind)).toEqual(['accepted', 'final']);
    await left.promise;
  });

  it('says what it was made without', async () => {
    const { origin } = await serve(answering('picture.sse', 'text/event-stream'));
    const events = await run(origin, { format: 'png', compression: 50 });
    expect(events.at(-1)).toMatchObject({ kind: 'final', warnings: ['compression_ignored'] });
  });

  it('is asked for under the base URL, in the version that is set', async () => {
    const service = await serve(answering('picture.sse', 'text/event-stream'));
    await collect(adapterAt(`${service.origin}/openai/v1`));
    await collect(adapterAt(`${service.origin}/openai/v1/`, { apiVersion: 'preview' }));
    expect(service.requests.map(({ url }) => url)).toEqual([
      '/openai/v1/responses',
      '/openai/v1/responses?api-version=preview',
    ]);
  });
});

describe('an answer that is not 200', () => {
  it.each<[number, string, Fault, string]>([
    [400, 'error-moderation.json', 'refused', 'moderation_blocked'],
    [429, 'error-quota.json', 'quota', 'insufficient_quota'],
    [400, 'error-tool-model.json', 'unsupported', 'invalid_value'],
  ])('%i with %s is %s', async (status, name, fault, upstreamCode) => {
    const { origin } = await serve(answering(name, 'application/json', status));
    const error = await thrownBy(run(origin));
    expect(error).toBeInstanceOf(UpstreamError);
    expect(error).toMatchObject({ fault, upstreamCode, possiblyCharged: false });
  });
});

it('an answer of 400 may have a code of this API alone', async () => {
  const { origin } = await serve((_request, response) => {
    response.writeHead(400).end('{"error":{"code":"invalid_prompt"}}');
  });
  expect(await thrownBy(run(origin))).toMatchObject({ fault: 'refused' });
});

describe('the model list', () => {
  it('shows the image models', async () => {
    const { origin } = await serve(answering('models.json', 'application/json'));
    expect(await listed(origin)).toEqual([
      'gpt-image-2.5-sunburst',
      'chatgpt-image-latest',
      'gpt-image-2',
    ]);
  });

  it('shows all models where the setting says so', async () => {
    const { origin } = await serve(answering('models.json', 'application/json'));
    expect(await listed(origin, { modelList: 'all' })).toContain('gpt-6-luna');
  });

  it('shows the named models, and asks the service only whether it lets us in', async () => {
    const settings = { modelList: 'named', namedModels: ['my-pictures'] };
    const service = await serve(answering('models.json', 'application/json'));
    expect(await listed(service.origin, settings)).toEqual(['my-pictures']);
    expect(service.requests.map(({ url }) => url)).toEqual(['/v1/models']);

    const closed = await serve(answering('error-quota.json', 'application/json', 401));
    expect(await thrownBy(listed(closed.origin, settings))).toMatchObject({ fault: 'quota' });
  });

  it("shows OpenAI's own where the service has no list and none is named", async () => {
    const { origin } = await serve((_request, response) => {
      response.writeHead(404).end();
    });
    expect(await listed(origin, { modelList: 'named' })).toEqual(imageModels);
    expect(await thrownBy(listed(origin))).toMatchObject({ fault: 'unsupported' });
  });
});

describe('a model list of any kind', () => {
  it.each([
    ['names twice the same', ['a', 'a', 'b'], ['a', 'b']],
    ['has names that are none', ['', 'a\u0000b', 'c'], ['c']],
    ['has a long name', ['x'.repeat(modelCharactersMax)], ['x'.repeat(modelCharactersMax)]],
    ['has too long a name', ['x'.repeat(modelCharactersMax + 1), 'a'], ['a']],
  ])('that %s is made plain', async (_what, ids, names) => {
    const { origin } = await serve(answeringList(ids));
    expect(await listed(origin, { modelList: 'all' })).toEqual(names);
  });

  it.each([
    [listedModelsMax, listedModelsMax],
    [listedModelsMax + 1, listedModelsMax],
  ])('with %i entries shows %i', async (length, shown) => {
    const ids = Array.from({ length }, (_, index) => `model-${index}`);
    const { origin } = await serve(answeringList(ids));
    expect(await listed(origin, { modelList: 'all' })).toHaveLength(shown);
  });
});

describe('the capabilities', () => {
  it.each([
    ['gpt-image-2.5-sunburst', true],
    ['gpt-image-2.6-flare', true],
    ['my-own-deployment', true],
    ['gpt-image-2', false],
    ['gpt-image-1.5', false],
    ['gpt-image-1-mini', false],
  ])('of %s include xhigh and max: %s', (model, isExtended) => {
    const { qualities } = adapterAt('http://127.0.0.1:9').capabilities(model);
    expect(qualities.includes('xhigh')).toBe(isExtended);
    expect(qualities.includes('max')).toBe(isExtended);
    expect(qualities).toEqual(expect.arrayContaining(['auto', 'low', 'medium', 'high']));
  });

  it('are every size and format, without a conversion', () => {
    const { sizes, formats } = adapterAt('http://127.0.0.1:9').capabilities('gpt-image-2');
    expect({ sizes, formats }).toEqual({ sizes: 'exact', formats: ['png', 'jpeg', 'webp'] });
  });
});

describe('a configuration', () => {
  it.each([null, 'not an address'])('with the base URL %j is refused', (baseUrl) => {
    expect(() => adapterAt(baseUrl)).toThrow(ServiceError);
  });

  it('with a setting that there is not is refused', () => {
    expect(() => adapterAt('http://127.0.0.1:9', { hostmodel: 'x' })).toThrow(ServiceError);
  });

  it.each(openaiResponsesKind.presets)('can be the preset $title', ({ baseUrl, settings }) => {
    expect(() => adapterAt(baseUrl, settings)).not.toThrow();
  });
});

function recorded(name: string): string {
  return readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8');
}

function answeringList(ids: readonly string[]): Answerer {
  const list = JSON.stringify({ object: 'list', data: [null, 7, ...ids.map((id) => ({ id }))] });
  return (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(list);
  };
}

function answering(name: string, contentType: string, status = 200): Answerer {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': contentType }).end(recorded(name));
  };
}

function adapterAt(baseUrl: string | null, settings: Readonly<Record<string, unknown>> = {}) {
  const config = { name: 'test', baseUrl, settings };
  return openaiResponsesKind.create(config, ({ origins }) => openTestHttp(origins[0] ?? ''));
}

const context = { signal: noSignal, clock: new ManualClock(), credential: 'sk-test' };

function run(origin: string, overrides: Parameters<typeof generationJob>[1] = {}) {
  return collect(adapterAt(`${origin}/v1`), overrides);
}

async function collect(
  adapter: ReturnType<typeof adapterAt>,
  overrides: Parameters<typeof generationJob>[1] = {},
): Promise<UpstreamEvent[]> {
  const events: UpstreamEvent[] = [];
  const job = generationJob(openaiResponsesSubject, overrides);
  for await (const event of adapter.run(job, context)) events.push(event);
  return events;
}

async function listed(origin: string, settings: Readonly<Record<string, unknown>> = {}) {
  const models = await adapterAt(`${origin}/v1`, settings).listModels(context);
  return models.map(({ upstreamModel }) => upstreamModel);
}
