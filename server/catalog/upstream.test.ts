import { expect, it } from 'vitest';
import { checkRank, parseBaseUrl, parseUpstreamName } from './upstream.ts';

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

it.each([
  { priority: -1, weight: 1 },
  { priority: 1_001, weight: 1 },
  { priority: 0, weight: 0 },
  { priority: 0, weight: 1.5 },
])('refuses the rank %j', (rank) => {
  expect(() => checkRank(rank)).toThrow('is a whole number from');
});
