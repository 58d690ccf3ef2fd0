import { describe, expect, test } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { serve } from '../../../test/support/services/outgoing.ts';
import { openGuardedHttp } from '../../lib/outgoing/guarded-http.ts';
import { UpstreamError } from '../upstream.ts';
import { openaiImagesKind } from './adapter.ts';
import { modelListLimits, readModels } from './model-list.ts';

const { modelsMax, nameCharactersMax, descriptionCharactersMax } = modelListLimits;

describe('forms of a list', () => {
  test.each([
    ['OpenAI', { object: 'list', data: [{ id: 'a' }] }],
    ['models', { models: [{ id: 'a', aliases: [] }] }],
    ['names', { models: [{ name: 'a' }] }],
    ['bare', [{ id: 'a', type: 'image' }]],
    ['bare names', ['a']],
  ])('%s', (_name, said) => {
    expect(readModels(said).map(({ upstreamModel }) => upstreamModel)).toEqual(['a']);
  });

  test.each([[null], ['a'], [{}], [{ data: 'a' }], [{ error: 'no' }]])('not %j', (said) => {
    expect(() => readModels(said)).toThrow(UpstreamError);
  });
});

test('keeps the first of two entries of one name, and no entry without one', () => {
  const said = { data: [{ id: 'a', display_name: 'First' }, { id: 'a' }, {}, null, { id: '' }] };
  expect(readModels(said)).toEqual([{ upstreamModel: 'a', description: 'First' }]);
});

test('is no list where none of its entries can be used, and is one where there is none', () => {
  expect(() => readModels({ data: [{}, null, { id: '' }] })).toThrow('no entry that can be used');
  expect(readModels({ data: [] })).toEqual([]);
});

test('describes a model in one line', () => {
  const said = {
    data: [
      { id: 'a', description: ' Draws\n  well ' },
      { id: 'b', name: 'b' },
    ],
  };
  expect(readModels(said).map(({ description }) => description)).toEqual(['Draws well', null]);
});

describe('limits', () => {
  test('of models', () => {
    const data = Array.from({ length: modelsMax + 1 }, (_, index) => `model-${index}`);
    expect(readModels({ data: data.slice(0, -1) }).length).toBe(modelsMax);
    expect(readModels({ data }).length).toBe(modelsMax);
  });

  test('of a name', () => {
    const [fitting, tooLong] = [nameCharactersMax, nameCharactersMax + 1].map((count) =>
      'a'.repeat(count),
    );
    expect(readModels([fitting, tooLong]).map(({ upstreamModel }) => upstreamModel)).toEqual([
      fitting,
    ]);
  });

  test('of a description', () => {
    const described = (count: number) =>
      readModels([{ id: 'a', description: 'd'.repeat(count) }])[0]?.description?.length;
    expect(described(descriptionCharactersMax)).toBe(descriptionCharactersMax);
    expect(described(descriptionCharactersMax + 1)).toBe(descriptionCharactersMax);
    const beginning = 'd'.repeat(descriptionCharactersMax - 1);
    const [listed] = readModels([{ id: 'a', description: `${beginning}🎨` }]);
    expect(listed?.description).toBe(beginning);
  });
});

async function listOf(
  answer: { status: number; body: string },
  settings: { dialect: 'generic' | 'azure'; modelNames: Record<string, string> },
) {
  const service = await serve((_request, response) => {
    response.writeHead(answer.status).end(answer.body);
  });
  const adapter = openaiImagesKind.create(
    { name: 'studio', baseUrl: service.origin, settings },
    ({ origins }) => openGuardedHttp({ origins, proxy: null, firstByteMs: 5_000, idleMs: 5_000 }),
  );
  const { signal } = new AbortController();
  try {
    return await adapter.listModels({ signal, clock: new ManualClock(), credential: null });
  } finally {
    await adapter.close();
  }
}

test('names the deployments that the administrator named, behind what the service lists', async () => {
  const modelNames = { pictures: 'gpt-image-2', listed: 'gpt-image-2' };
  const answer = { status: 200, body: '{"data":[{"id":"listed"}]}' };
  expect(await listOf(answer, { dialect: 'generic', modelNames })).toEqual([
    { upstreamModel: 'listed', description: null },
    { upstreamModel: 'pictures', description: 'gpt-image-2' },
  ]);
});

describe('a service that has no list', () => {
  const modelNames = { pictures: 'a-model' };

  test.each([404, 405, 501])('and says so by %i has the models that were named', async (status) => {
    expect(await listOf({ status, body: 'no' }, { dialect: 'generic', modelNames })).toEqual([
      { upstreamModel: 'pictures', description: 'a-model' },
    ]);
  });

  test.each([
    ['where none was named', 404, { dialect: 'generic', modelNames: {} }],
    ['where the credential is wrong', 401, { dialect: 'generic', modelNames }],
    ['where it is out of order', 503, { dialect: 'generic', modelNames }],
    ['that is known to have one', 404, { dialect: 'azure', modelNames }],
  ] as const)('is no such service %s', async (_what, status, settings) => {
    await expect(listOf({ status, body: 'no' }, settings)).rejects.toThrow(UpstreamError);
  });
});
