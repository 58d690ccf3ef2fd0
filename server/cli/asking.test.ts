import { expect, it } from 'vitest';
import { UpstreamError } from '../upstreams/upstream.ts';
import { describeUpstreamFailure } from './asking.ts';

const missing = new UpstreamError('unsupported', 'answered with status 404', { status: 404 });

it.each([
  ['openai-images', 'http://10.0.0.5:8000', true],
  ['openai-images', 'https://gateway.example/api', true],
  ['openai-images', 'http://10.0.0.5:8000/v1', false],
  ['openai-images', 'https://ark.example/api/v3', false],
  ['comfyui', 'http://10.0.0.7:8188', false],
])('asks after a 404 of %s at %s whether it lacks /v1: %j', (kind, baseUrl, expected) => {
  const told = describeUpstreamFailure({ name: 'gpu', kind, baseUrl }, missing);
  expect(
    told.startsWith(
      `gpu failed (unsupported): answered with status 404; it was asked at ${baseUrl}`,
    ),
  ).toBe(true);
  expect(told.endsWith(`tintype upstreams edit gpu --base-url ${baseUrl}/v1`)).toBe(expected);
});

it('says nothing of the base URL after another status, or where there is none', () => {
  const slow = new UpstreamError('timeout', 'no answer in time');
  const at = { name: 'gpu', kind: 'openai-images', baseUrl: 'http://10.0.0.5:8000' };
  expect(describeUpstreamFailure(at, slow)).toBe(
    'gpu failed (timeout): no answer in time; it was asked at http://10.0.0.5:8000',
  );
  expect(describeUpstreamFailure({ ...at, baseUrl: null }, missing)).toBe(
    'gpu failed (unsupported): answered with status 404',
  );
});
