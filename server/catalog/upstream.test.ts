import { describe, expect, it } from 'vitest';
import {
  checkRank,
  checkSettingsSize,
  parseBaseUrl,
  parseProxy,
  parseUpstreamLimits,
  parseUpstreamName,
  settingsCharactersMax,
  upstreamLimitBounds,
  upstreamLimitsDefault,
} from './upstream.ts';

it.each([
  ['https://images.example.com/v1', 'https://images.example.com/v1'],
  ['http://127.0.0.1:7860//', 'http://127.0.0.1:7860'],
])('takes %s as a base URL', (text, expected) => {
  expect(parseBaseUrl(text)).toBe(expected);
});

it.each([
  'images.example.com',
  'ftp://images.example.com',
  'file:///etc/passwd',
  '',
  `https://${'a'.repeat(2_000)}.example`,
])('refuses %s as a base URL', (text) => {
  expect(() => parseBaseUrl(text)).toThrow('must begin with http:// or https://');
});

it.each([
  'https://me:hunter2@host/',
  'https://me@host/',
  'https://host/?key=hunter2',
  'https://host/#x',
])('refuses %s, which could carry a secret into lists and logs', (text) => {
  expect(() => parseBaseUrl(text)).toThrow('must not contain a user, password, query or fragment');
});

it.each(['studio', 'Studio-2.eu_west', '9'])('takes %s as a name', (name) => {
  expect(parseUpstreamName(name)).toBe(name);
});

it.each(['', 'a b', '-a', 'up_studio', 'a'.repeat(64), 'a/b'])('refuses %j as a name', (name) => {
  expect(() => parseUpstreamName(name)).toThrow('An upstream name has');
});

it('says of a name what it may begin with, for its other characters may all be right', () => {
  expect(() => parseUpstreamName('-a')).toThrow('It begins with a letter or digit');
  expect(() => parseUpstreamName('up_studio')).toThrow('and not with up_.');
});

it.each([
  { priority: -1, weight: 1 },
  { priority: 1_001, weight: 1 },
  { priority: 0, weight: 0 },
  { priority: 0, weight: 1.5 },
])('refuses the rank %j', (rank) => {
  expect(() => checkRank(rank)).toThrow('must be a whole number from');
});

it.each([
  ['http://10.0.0.1:3128', 'http://10.0.0.1:3128'],
  ['https://me:hunter2@proxy.example.com/', 'https://me:hunter2@proxy.example.com'],
  [null, null],
])('takes %s as a proxy', (text, expected) => {
  expect(parseProxy(text)).toBe(expected);
});

it.each(['proxy.example.com', 'socks5://proxy', 'http://proxy/path', 'http://proxy/?a=b', ''])(
  'refuses %j as a proxy',
  (text) => {
    expect(() => parseProxy(text)).toThrow('A proxy is http:// or https://');
  },
);

it('gives limits that nobody named their defaults', () => {
  expect(parseUpstreamLimits({ queueMax: 7 })).toEqual({ ...upstreamLimitsDefault, queueMax: 7 });
});

describe.each([
  ['concurrencyMax', 'concurrency_max'],
  ['queueMax', 'queue_max'],
  ['queueWaitMs', 'queue_wait_ms'],
  ['firstByteMs', 'first_byte_ms'],
  ['idleMs', 'idle_ms'],
] as const)('the limit %s', (name, asSent) => {
  const { min, max } = upstreamLimitBounds[name];

  it.each([min, max])('may be %d', (value) => {
    expect(parseUpstreamLimits({ [name]: value })).toMatchObject({ [name]: value });
  });

  it.each([min - 1, max + 1, min + 0.5, Number.NaN])('may not be %d', (value) => {
    expect(() => parseUpstreamLimits({ [name]: value })).toThrow(
      `${asSent} must be a whole number from ${min} to ${max}.`,
    );
  });
});

it('may be called any number of times at once', () => {
  expect(parseUpstreamLimits({ concurrencyMax: null }).concurrencyMax).toBeNull();
});

it('refuses a limit that does not exist', () => {
  expect(() => parseUpstreamLimits(Object.fromEntries([['speed', 1]]))).toThrow(
    'There is no limit speed.',
  );
});

it('takes settings up to a size, and no larger ones', () => {
  const around = JSON.stringify({ workflow: '' }).length;
  const settings = { workflow: 'x'.repeat(settingsCharactersMax - around) };
  expect(() => checkSettingsSize(settings)).not.toThrow();
  expect(() => checkSettingsSize({ workflow: `${settings.workflow}x` })).toThrow(
    `at most ${settingsCharactersMax} characters`,
  );
});
