import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { assert, describe, expect, it } from 'vitest';
import { thrownBy } from '../../../test/support/thrown-by.ts';
import { json } from '../../../test/upstreams/ai-sdk-answers.ts';
import { openSdkBench } from '../../../test/upstreams/ai-sdk-bench.ts';
import { blackForestLabsSubject } from '../../../test/upstreams/ai-sdk-black-forest-labs.ts';
import { geminiSubject } from '../../../test/upstreams/ai-sdk-gemini.ts';
import { describeContract } from '../../../test/upstreams/contract.ts';
import { openGuardedHttp } from '../../lib/outgoing/guarded-http.ts';
import { ServiceError } from '../../lib/service-error.ts';
import type { UpstreamConfig } from '../adapter-kind.ts';
import { UpstreamError } from '../upstream.ts';
import { aiSdkKind } from './adapter.ts';
import { vendorNames } from './settings.ts';

describeContract(geminiSubject, 'ai-sdk with Gemini');
describeContract(blackForestLabsSubject, 'ai-sdk with Black Forest Labs');

function create(config: Partial<UpstreamConfig> = {}) {
  const opened: (readonly string[])[] = [];
  const whole = { name: 'test', baseUrl: null, settings: {}, ...config };
  const adapter = aiSdkKind.create(whole, ({ origins }) => {
    opened.push(origins);
    return openGuardedHttp({ origins, proxy: null, firstByteMs: 1000, idleMs: 1000 });
  });
  const [origins = []] = opened;
  return { adapter, origins };
}

describe('before the first picture', () => {
  it('nothing of the AI SDK is loaded', async () => {
    const script = `
      import { registerHooks } from 'node:module';
      const loaded = [];
      registerHooks({
        resolve(specifier, context, next) {
          const found = next(specifier, context);
          loaded.push(found.url);
          return found;
        },
      });
      const { adapterKinds } = await import('./server/upstreams/registry.ts');
      const kind = adapterKinds.get('ai-sdk');
      const http = { close: async () => {} };
      const config = { name: 'test', baseUrl: null, settings: {} };
      await kind.create(config, () => http).close();
      console.log(JSON.stringify(loaded));
    `;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', script],
      { cwd: fileURLToPath(new URL('../../..', import.meta.url)) },
    );
    const loaded: string[] = JSON.parse(stdout);
    expect(loaded.filter((url) => url.endsWith('/ai-sdk/adapter.ts'))).toHaveLength(1);
    expect(loaded.filter((url) => url.includes('/@ai-sdk/'))).toEqual([]);
  });

  it.each(aiSdkKind.presets)(
    'the preset of $title names models that can do something',
    (preset) => {
      const { adapter } = create(preset);
      for (const upstreamModel of preset.upstreamModels) {
        const { generation, edit, mask, referenceImagesMax } = adapter.capabilities(upstreamModel);
        expect(generation || edit, upstreamModel).toBe(true);
        expect(edit, upstreamModel).toBe(referenceImagesMax > 0);
        expect(edit || !mask, upstreamModel).toBe(true);
      }
    },
  );

  it('no preset names a preview, which its vendor ends while we still name it', () => {
    const named = aiSdkKind.presets.flatMap(({ upstreamModels }) => upstreamModels);
    expect(named.filter((upstreamModel) => upstreamModel.includes('preview'))).toEqual([]);
  });

  it('every service has a preset', () => {
    const presets = aiSdkKind.presets.map(({ settings }) => settings['provider']);
    expect(new Set(presets)).toEqual(new Set(vendorNames));
  });

  it('nothing is known of a model of another kind', () => {
    const { adapter } = create({ settings: { provider: 'luma' } });
    expect(adapter.capabilities('ray-2')).toMatchObject({ generation: false, edit: false });
  });

  it.each([{ provider: 'prodia' }, { region: 'Up North' }, { unknown: true }])(
    'settings that are wrong are refused: %o',
    (settings) => {
      expect(() => create({ settings })).toThrow(ServiceError);
    },
  );
});

describe('the origins that are asked', () => {
  it.each([
    ['google', ['https://generativelanguage.googleapis.com']],
    ['google-vertex', ['https://aiplatform.googleapis.com', 'https://oauth2.googleapis.com']],
    [
      'amazon-bedrock',
      [
        'https://bedrock-runtime.us-east-1.amazonaws.com',
        'https://bedrock.us-east-1.amazonaws.com',
      ],
    ],
    ['fal', ['https://fal.run']],
    ['replicate', ['https://api.replicate.com']],
    ['luma', ['https://api.lumalabs.ai']],
    ['fireworks', ['https://api.fireworks.ai']],
  ])('of %s are its own', (provider, origins) => {
    expect(create({ settings: { provider } }).origins).toEqual(origins);
  });

  it('of Black Forest Labs are its clusters too, where jobs are asked after', () => {
    const { origins } = create({ settings: { provider: 'black-forest-labs' } });
    expect(origins[0]).toBe('https://api.bfl.ai');
    expect(origins).toContain('https://api.us1.bfl.ai');
    expect(origins.every((origin) => /^https:\/\/api\.[a-z0-9.]*bfl\.ai$/.test(origin))).toBe(true);
  });

  it.each(vendorNames)('are the operator’s alone, where he has named one for %s', (provider) => {
    const baseUrl = 'http://gateway.example:8080/service';
    const { origins } = create({ baseUrl, settings: { provider } });
    expect(origins).toEqual(['http://gateway.example:8080']);
  });
});

describe('a call', () => {
  it('without a credential is not made', async () => {
    const { run, adapter, context, service } = await openSdkBench({
      settings: { provider: 'google' },
      upstreamModel: 'gemini-2.5-flash-image',
      answer: () => json(200, {}),
    });
    expect(await thrownBy(run({}, { credential: null }))).toMatchObject({ fault: 'auth' });
    const listing = adapter.listModels(context({ credential: null }));
    expect(await thrownBy(listing)).toMatchObject({ fault: 'auth' });
    expect(service.requests).toHaveLength(0);
  });

  it('for a transparent background is not made, for no model here has one', async () => {
    const { run, service } = await openSdkBench({
      settings: { provider: 'google' },
      upstreamModel: 'gemini-2.5-flash-image',
      answer: () => json(200, {}),
    });
    const error = await thrownBy(run({ background: 'transparent' }));
    expect(error).toMatchObject({ fault: 'unsupported' });
    expect(service.requests).toHaveLength(0);
  });

  it('fails with an error that holds nothing of the request or the answer', async () => {
    const { run } = await openSdkBench({
      settings: { provider: 'google' },
      upstreamModel: 'gemini-2.5-flash-image',
      answer: () => json(200, { candidates: 'Words of the service' }),
    });
    const error = await thrownBy(run());
    assert(error instanceof UpstreamError);
    expect(error).toMatchObject({ fault: 'protocol', possiblyCharged: true });
    expect(error.cause).toBeUndefined();
  });
});
