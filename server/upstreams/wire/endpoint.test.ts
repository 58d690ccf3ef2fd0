import { expect, it } from 'vitest';
import { endpoint, originOf } from './endpoint.ts';

it.each<[string, string, string]>([
  [
    'https://api.example.com/v1',
    '/images/generations',
    'https://api.example.com/v1/images/generations',
  ],
  ['https://api.example.com/v1/', 'images', 'https://api.example.com/v1/images'],
  ['https://api.example.com', '/images', 'https://api.example.com/images'],
  ['https://api.example.com/a/b//', '//c', 'https://api.example.com/a/b/c'],
  [
    'http://127.0.0.1:8188',
    '/view?filename=a%20b.png',
    'http://127.0.0.1:8188/view?filename=a%20b.png',
  ],
  ['http://[::1]:8188', '/ws', 'http://[::1]:8188/ws'],
])('%s has %s at %s', (baseUrl, path, url) => {
  expect(endpoint(baseUrl, path).href).toBe(url);
});

it.each<[string, string]>([
  ['https://api.example.com/v1', 'https://api.example.com'],
  ['https://api.example.com:443/v1', 'https://api.example.com'],
  ['http://127.0.0.1:8188/a', 'http://127.0.0.1:8188'],
])('%s is of the origin %s', (baseUrl, origin) => {
  expect(originOf(baseUrl)).toBe(origin);
});
