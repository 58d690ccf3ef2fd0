import sharp from 'sharp';
import { assert, describe, expect, test } from 'vitest';
import { makePicture } from '../../../test/support/pictures.ts';
import { json, made, thrown } from '../../../test/upstreams/a1111.ts';
import { startEngine } from '../../../test/upstreams/a1111-engine.ts';
import type { GuardedHttp } from '../../lib/outgoing/guarded-http.ts';
import { ServiceError } from '../../lib/service-error.ts';
import type { ImageJob } from '../upstream.ts';
import { a1111Kind } from './adapter.ts';
import { flavourNames } from './flavours.ts';

describe('capabilities', () => {
  test.each([
    ['a1111', true, true],
    ['forge', true, true],
    ['sdnext', false, true],
    ['draw-things', false, false],
    ['koboldcpp', false, true],
    ['sd-server', false, true],
  ])('%s shows partial images: %s; takes a mask: %s', (flavour, partialImages, mask) => {
    expect(idleAdapter({ flavour }).capabilities('any')).toEqual({
      generation: true,
      edit: true,
      referenceImagesMax: 1,
      mask,
      partialImages,
      sizes: 'exact',
      formats: ['png'],
      qualities: ['auto', 'low', 'medium', 'high', 'xhigh', 'max'],
      transparentBackground: false,
    });
  });

  test('partial images can be turned off', () => {
    expect(idleAdapter({ previews: false }).capabilities('any').partialImages).toBe(false);
  });

  test('edits can be turned off, for single models too', () => {
    const none = { edit: false, referenceImagesMax: 0, mask: false };
    expect(idleAdapter({ edit: false }).capabilities('any')).toMatchObject(none);
    const adapter = idleAdapter({ edit: false, models: { painter: { edit: true } } });
    expect(adapter.capabilities('painter')).toMatchObject({ edit: true, referenceImagesMax: 1 });
    expect(adapter.capabilities('other')).toMatchObject(none);
  });
});

describe('the credential', () => {
  test.each([
    ['as user and password', {}, 'ö:p:w', `Basic ${Buffer.from('ö:p:w').toString('base64')}`],
    ['as a bearer key', { authentication: 'bearer' }, 'k-1', 'Bearer k-1'],
    ['not at all, where there is none', {}, null, undefined],
  ])('is sent %s', async (_name, settings, credential, authorization) => {
    const engine = await startEngine({ settings, credential });
    await engine.run();
    await engine.adapter.listModels(engine.context());
    const sent = engine.fake.seen.map(({ headers }) => headers['authorization']);
    expect(new Set(sent)).toEqual(new Set([authorization]));
  });

  test('is not sent when it is no user and password', async () => {
    const engine = await startEngine({ credential: 'sk-no-colon' });
    expect((await engine.run()).error).toMatchObject({ fault: 'auth', possiblyCharged: false });
    await engine.adapter.close();
    expect(engine.fake.seen).toEqual([]);
  });
});

describe('an answer that is an error', () => {
  test.each([
    ['an engine out of memory', {}, thrown(500, 'OutOfMemoryError', ''), 'busy'],
    ['a machine out of memory', {}, thrown(500, 'MemoryError', ''), 'busy'],
    ['an exception that claims success', {}, thrown(200, 'OutOfMemoryError', ''), 'busy'],
    ['any other exception', {}, thrown(500, 'RuntimeError', ''), 'unavailable'],
    ['a path that is not there', {}, json(404, { detail: 'Not Found' }), 'unsupported'],
    ['a sampler that is not there', {}, thrown(404, 'HTTPException', ''), 'unsupported'],
    ['a field it does not like', {}, json(422, { detail: [{ loc: ['steps'] }] }), 'bad_request'],
    ['words of stable-diffusion.cpp', {}, json(400, { error: 'prompt required' }), 'bad_request'],
    ['a failure of it', {}, json(500, { error: 'server_error', message: '' }), 'unavailable'],
    ['a user it does not know', {}, thrown(401, 'HTTPException', ''), 'auth'],
    ['a proxy without an engine', {}, json(503, {}), 'unavailable'],
    ['a busy KoboldCpp', { flavour: 'koboldcpp' }, json(503, { detail: {} }), 'busy'],
  ])('of %s has its fault', async (_name, settings, answer, fault) => {
    const engine = await startEngine({ settings, answer });
    expect((await engine.run()).error?.fault).toBe(fault);
  });

  test('names the exception, and none of its words', async () => {
    const engine = await startEngine({
      answer: thrown(500, 'OutOfMemoryError', 'Tried to allocate 2.00 GiB for a fox'),
    });
    const { error } = await engine.run();
    expect(error).toMatchObject({ upstreamCode: 'OutOfMemoryError', status: 500 });
    expect(error?.message).not.toContain('fox');
  });
});

describe('an answer', () => {
  test('is its first picture, as the bytes that came', async () => {
    const [first, second] = await Promise.all([makePicture('png'), makePicture('jpeg')]);
    const texts = [first, second].map((bytes) => bytes.toString('base64'));
    const engine = await startEngine({ answer: made(texts) });
    const { events } = await engine.run();
    const ascii = Buffer.from(texts[0] ?? '');
    expect(events.at(-1)).toMatchObject({
      kind: 'final',
      image: { encoding: 'base64', ascii },
      revisedPrompt: null,
      tokens: null,
      actual: { quality: null, background: null },
      warnings: [],
    });
  });

  test('is a picture without what the engine wrote into it', async () => {
    const words = 'Steps: 20, Model: of-the-operator';
    const written = await sharp(await makePicture('png'))
      .withExif({ IFD0: { ImageDescription: words } })
      .jpeg()
      .toBuffer();
    expect(written.includes(words)).toBe(true);
    const engine = await startEngine({ answer: made([written.toString('base64')]) });
    const final = (await engine.run()).events.at(-1);
    assert(final?.kind === 'final' && final.image.encoding === 'raw');
    expect(final.image.bytes.includes(words)).toBe(false);
  });

  test('may be a data URL', async () => {
    const picture = await makePicture('png');
    const engine = await startEngine({
      answer: made([`data:image/png;base64,${picture.toString('base64')}`]),
    });
    const ascii = Buffer.from(picture.toString('base64'));
    expect((await engine.run()).events.at(-1)).toMatchObject({ image: { ascii } });
  });

  test.each([
    ['without pictures', made([])],
    ['with words', made(['no picture today'])],
    ['with something else', json(200, { images: [{ url: 'x' }] })],
    ['with nothing', json(200, {})],
    ['with null', json(200, null)],
  ])('%s is no picture', async (_name, answer) => {
    const engine = await startEngine({ answer });
    expect((await engine.run()).error).toMatchObject({
      fault: 'protocol',
      possiblyCharged: true,
    });
  });

  test('may repeat the longest prompt in every way that engines do', async () => {
    const prompt = '🦊'.repeat(32_000);
    expect((await answerOf(escapedTwice(prompt, 3))).error).toBeNull();
  });

  test.each([
    ['has the most text that is read', 0, null],
    ['has more text than that', 4096, 'protocol'],
  ])('that %s', async (_name, more, fault) => {
    // The rest of the document takes some hundred bytes.
    const { error } = await answerOf('ä'.repeat((4 * 1024 ** 2 - 1024 + more) / 2));
    expect(error?.fault ?? null).toBe(fault);
  });

  test.each([
    ['sd_xl_base_1.0', 'a1111', 'another', 'unsupported'],
    ['sd_xl_base_1.0', 'forge', 'xl_base_1.0', null],
    ['sd_xl_base_1.0', 'a1111', 'base', 'unsupported'],
    ['folder_painter', 'a1111', 'painter', null],
    ['folder/painter.safetensors [31e35c80fc]', 'a1111', 'painter', null],
    ['painter.ckpt', 'a1111', 'another', 'unsupported'],
    ['31e35c80fc', 'a1111', 'painter', null],
    ['painter', 'sdnext', 'folder/painter.safetensors', null],
  ])(
    'for %s of %s that was drawn by %s ends in %s',
    async (upstreamModel, flavour, name, fault) => {
      const info = JSON.stringify({ sd_model_name: name });
      const { error } = await answerOf(info, { flavour }, { upstreamModel });
      expect(error?.fault ?? null).toBe(fault);
      expect(error?.possiblyCharged ?? null).toBe(fault && true);
    },
  );

  async function answerOf(info: string, settings = {}, job: Partial<ImageJob> = {}) {
    const picture = await makePicture('png');
    const answer = json(200, { images: [picture.toString('base64')], info });
    return await (await startEngine({ answer, settings })).run(job);
  }

  /** As Python writes it into JSON within JSON. */
  function escapedTwice(prompt: string, times: number): string {
    const escaped = prompt.replaceAll(
      /[\u0080-\uffff]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
    return `{"infotexts":["${escaped.repeat(times)}"]}`;
  }
});

describe('the model list', () => {
  test('is the engine’s, by the names that do not change', async () => {
    const models = json(200, [
      { title: 'painter.safetensors [31e35c80fc]', model_name: 'painter', hash: '31e35c80fc' },
      { title: 'plain', model_name: 'plain' },
      { model_name: 'untitled' },
      { title: 'plain', model_name: 'plain' },
    ]);
    const engine = await startEngine({ models });
    expect(await engine.adapter.listModels(engine.context())).toEqual([
      { upstreamModel: 'painter', description: 'painter.safetensors [31e35c80fc]' },
      { upstreamModel: 'plain', description: null },
      { upstreamModel: 'untitled', description: null },
    ]);
  });

  test('is the others where an entry is none', async () => {
    const models = json(200, [7, null, {}, { model_name: 7 }, { model_name: 'plain', title: 7 }]);
    const engine = await startEngine({ models });
    expect(await engine.adapter.listModels(engine.context())).toEqual([
      { upstreamModel: 'plain', description: null },
    ]);
  });

  test('that is none is a fault', async () => {
    const engine = await startEngine({ models: json(200, { models: [] }) });
    await expect(engine.adapter.listModels(engine.context())).rejects.toMatchObject({
      fault: 'protocol',
    });
  });

  test.each([
    [{ models: { sdxl: {}, flux: {} } }, ['sdxl', 'flux']],
    [{}, ['loaded']],
  ])('of an engine without one comes from the settings %j', async (settings, names) => {
    const engine = await startEngine({ settings: { flavour: 'draw-things', ...settings } });
    const listed = await engine.adapter.listModels(engine.context());
    expect(listed.map(({ upstreamModel }) => upstreamModel)).toEqual(names);
    expect(engine.fake.seen).toEqual([]);
  });
});

describe('settings', () => {
  test.each([
    ['steps', { steps: { high: 150 } }, { steps: { high: 151 } }],
    ['fewest steps', { steps: { low: 1 } }, { steps: { low: 0 } }],
    ['CFG scale', { cfgScale: 30 }, { cfgScale: 30.5 }],
    ['sampler', { sampler: 'x'.repeat(200) }, { sampler: 'x'.repeat(201) }],
    [
      'negative prompt',
      { negativePrompt: 'x'.repeat(4_000) },
      { negativePrompt: 'x'.repeat(4_001) },
    ],
    ['clip skip', { clipSkip: 12 }, { clipSkip: 13 }],
    ['smallest automatic size', { autoSidePixels: 256 }, { autoSidePixels: 255 }],
    ['largest automatic size', { autoSidePixels: 2_048 }, { autoSidePixels: 2_049 }],
    ['denoising', { denoising: { low: 1 } }, { denoising: { low: 1.1 } }],
    ['mask blur', { inpainting: { maskBlurPixels: 64 } }, { inpainting: { maskBlurPixels: 65 } }],
    ['margin', { inpainting: { marginPixels: 256 } }, { inpainting: { marginPixels: 257 } }],
    ['quickest looks', { progressEveryMs: 100 }, { progressEveryMs: 99 }],
    ['slowest looks', { progressEveryMs: 10_000 }, { progressEveryMs: 10_001 }],
    ['models', { models: modelsNamed(200) }, { models: modelsNamed(201) }],
    ['a model', { models: { x: { steps: {} } } }, { models: { x: { flavour: 'forge' } } }],
    ['engine', { flavour: 'forge' }, { flavour: 'fooocus' }],
    ['names', {}, { sampelr: 'Euler' }],
  ])('%s has its limit', (_name, right, wrong) => {
    expect(() => idleAdapter(right)).not.toThrow();
    expect(() => idleAdapter(wrong)).toThrow(ServiceError);
  });

  test('without an address there is no engine', () => {
    expect(() => idleAdapter({}, null)).toThrow(ServiceError);
    expect(() => idleAdapter({}, 'engine')).toThrow(ServiceError);
  });

  test('an address may have a path', async () => {
    const engine = await startEngine();
    const { origin } = engine.fake;
    const asked: string[] = [];
    const adapter = a1111Kind.create(
      { name: 'engine', baseUrl: `${origin}/gpu-1`, settings: {} },
      ({ origins }) => {
        expect(origins).toEqual([origin]);
        return {
          ...noHttp,
          send: (request, signal) => {
            asked.push(request.url.href);
            return noHttp.send(request, signal);
          },
        };
      },
    );
    await expect(adapter.listModels(engine.context())).rejects.toBeDefined();
    expect(asked).toEqual([`${origin}/gpu-1/sdapi/v1/sd-models`]);
  });

  test('every engine has a preset that works', () => {
    expect(a1111Kind.presets.length).toBe(flavourNames.length);
    for (const { baseUrl, settings } of a1111Kind.presets) {
      expect(() => idleAdapter(settings, baseUrl)).not.toThrow();
    }
  });
});

/** For what asks nothing. */
const noHttp: GuardedHttp = {
  send: () => Promise.reject(new Error('nothing is asked')),
  download: () => Promise.reject(new Error('nothing is fetched')),
  fetch: () => Promise.reject(new Error('nothing is fetched')),
  openSocket: () => Promise.reject(new Error('nothing is opened')),
  close: async () => {},
};

function idleAdapter(
  settings: Readonly<Record<string, unknown>>,
  baseUrl: string | null = 'http://engine.test',
) {
  return a1111Kind.create({ name: 'idle', baseUrl, settings }, () => noHttp);
}

function modelsNamed(count: number): Record<string, object> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`model-${index}`, {}]));
}
