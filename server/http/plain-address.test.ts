import { expect, test } from 'vitest';
import { plainAddress } from './plain-address.ts';

test.each([
  ['/v1/models', '/v1/models'],
  ['/v1/models?a=%61', '/v1/models?a=%61'],
  ['/%761/%6dodels', '/v1/models'],
  ['/%7Eaz%2D%2e%5F%30%39%41%5A%61%7A', '/~az-._09AZaz'],
  ['http://a.example/%761?b', '/v1?b'],
  ['https://a.example', '/'],
  ['/a%2Fb%3Fc%23d%25e%20f%C3%A9', '/a%2Fb%3Fc%23d%25e%20f%C3%A9'],
  ['/%40%5B%60%7B%2F%3A', '/%40%5B%60%7B%2F%3A'],
  ['/%2561', '/%2561'],
  ['/%E0%A4%A', '/%E0%A4%A'],
  ['/%', '/%'],
])('%s is %s', (sent, plain) => {
  expect(plainAddress(sent)).toBe(plain);
});
