import { expect, it } from 'vitest';
import { hasPlaceholderHost, isSameHost } from './placeholder-host.ts';
import { adapterKinds } from './registry.ts';

it('tells the presets that need a host of the customer’s own', () => {
  const presets = [...adapterKinds.values()].flatMap(({ presets }) => presets);
  expect(presets.filter(hasPlaceholderHost).map(({ title }) => title)).toEqual([
    'Azure OpenAI',
    'Azure OpenAI, deployment URLs',
    'Azure OpenAI',
  ]);
});

it.each([
  ['https://your-resource.example.com/v1', true],
  ['https://YOUR-RESOURCE.example.com', true],
  ['https://example.com/your-account', false],
  ['http://localhost:8188', false],
  [null, false],
])('finds in %j a placeholder: %j', (baseUrl, expected) => {
  expect(hasPlaceholderHost({ baseUrl })).toBe(expected);
});

it('compares hosts, whatever their case and path', () => {
  expect(isSameHost('https://YOUR-a.example/v1', 'http://your-a.example')).toBe(true);
  expect(isSameHost('https://your-a.example', 'https://your-b.example')).toBe(false);
  expect(isSameHost(null, null)).toBe(false);
});
