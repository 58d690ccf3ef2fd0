import { expect, it } from 'vitest';
import { makeSecret } from '../server/accounts/key-secret.ts';
import { keyEndingIn, shownKeyEnding } from './key-ending.ts';

const secret = makeSecret('tin');
const ending = secret.slice(-4);

it.each([
  ['a key', secret],
  ['a key in what was found', `OPENAI_API_KEY="${secret}"\n`],
  ['a key as lists show it', `sk-tin-…${ending}`],
  ['its ending with three dots', ` ...${ending} `],
])('is found in %s', (_what, text) => {
  expect(keyEndingIn(text)).toBe(ending);
  expect(shownKeyEnding(text)).toBe(`…${ending}`);
});

it.each([
  ['a name', 'Jane'],
  ['four letters alone', ending],
  ['an address', 'jane...doe@example.com'],
  ['a key that is cut off', secret.slice(0, -1)],
  ['what is longer than a key', `${secret}a`],
])('is not in %s', (_what, text) => {
  expect(keyEndingIn(text)).toBeNull();
  expect(shownKeyEnding(text)).toBeNull();
});
