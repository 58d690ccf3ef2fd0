import { describe, expect, test } from 'vitest';
import { openTestHttp } from '../../../test/support/services/outgoing.ts';
import { asked } from '../../../test/upstreams/openai-images-requests.ts';
import { ServiceError } from '../../lib/service-error.ts';
import { openaiImagesKind } from './adapter.ts';
import { settingsSchema } from './settings.ts';

describe('presets', () => {
  test.each(openaiImagesKind.presets)('$title can be used as it is', ({ settings, ...preset }) => {
    const adapter = openaiImagesKind.create(
      { name: 'preset', baseUrl: preset.baseUrl, settings },
      ({ origins }) => openTestHttp(origins[0] ?? ''),
    );
    expect(adapter.capabilities(preset.upstreamModels[0]).generation).toBe(true);
  });

  test('every setting has a default, a title and a description', () => {
    expect(settingsSchema.parse({}).dialect).toBe('openai');
    for (const field of Object.values(settingsSchema.shape)) {
      expect(field.meta()).toMatchObject({
        title: expect.any(String),
        description: expect.any(String),
      });
    }
  });
});

describe('the address', () => {
  const seen: (readonly string[])[] = [];
  const create = (baseUrl: string | null, settings: Record<string, unknown> = {}) =>
    openaiImagesKind.create({ name: 'a', baseUrl, settings }, ({ origins }) => {
      seen.push(origins);
      return openTestHttp(origins[0] ?? '');
    });

  test("is the vendor's own unless another one is configured", () => {
    create(null);
    create('http://10.0.0.7:9000/v1/');
    expect(seen).toEqual([['https://api.openai.com'], ['http://10.0.0.7:9000']]);
  });

  test('must be a URL, and the settings must be known', () => {
    expect(() => create('not a url')).toThrow(ServiceError);
    expect(() => create(null, { dialect: 'klingon' })).toThrow('settings.dialect');
    expect(() => create(null, { colour: 'red' })).toThrow(ServiceError);
  });

  test.each([
    ['openai', {}, 'https://host/base/images/generations'],
    [
      'openai',
      { apiVersion: 'preview' },
      'https://host/base/images/generations?api-version=preview',
    ],
    [
      'azure-deployment',
      { apiVersion: '2026-01-01' },
      'https://host/base/openai/deployments/a%2Fb/images/generations?api-version=2026-01-01',
    ],
  ])('of %s with %j', async (dialect, settings, url) => {
    const { request } = await asked({ ...settings, dialect }, { upstreamModel: 'a/b' });
    expect(request.url.href).toBe(url);
  });
});

describe('the credential', () => {
  test.each([
    ['dialect', { authorization: 'Bearer key' }],
    ['bearer', { authorization: 'Bearer key' }],
    ['api-key', { 'api-key': 'key' }],
    ['x-api-key', { 'x-api-key': 'key' }],
    ['none', {}],
  ])('%s', async (auth, headers) => {
    const { request } = await asked({ dialect: 'generic', auth });
    const { 'content-type': _, ...sent } = { ...request.headers };
    expect(sent).toEqual(headers);
  });

  test('is not sent when there is none', async () => {
    const { request } = await asked({ dialect: 'generic' }, {}, null);
    expect(Object.keys(request.headers ?? {})).toEqual(['content-type']);
  });
});
