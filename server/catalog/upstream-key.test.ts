import { expect, it } from 'vitest';
import {
  credentialCharactersMax,
  lastFourOf,
  parseCredential,
  parseUpstreamKeyName,
} from './upstream-key.ts';

it.each(['main', 'Team-2.eu_west', '9', 'a'.repeat(63)])(
  'takes %s as the name of a key',
  (name) => {
    expect(parseUpstreamKeyName(name)).toBe(name);
  },
);

it.each(['', 'a b', '-a', 'a/b', 'a'.repeat(64)])('refuses %j as the name of a key', (name) => {
  expect(() => parseUpstreamKeyName(name)).toThrow('The name of a key has up to 63');
});

it('takes a credential as files hold it', () => {
  expect(parseCredential('hunter2\n')).toBe('hunter2');
  expect(parseCredential('{\n  "type": "service_account"\n}\n')).toContain('\n  "type"');
});

it.each(['', ' \n'])('refuses %j, which is no credential', (text) => {
  expect(() => parseCredential(text)).toThrow('The credential is empty.');
});

it('takes a credential up to a size, and no longer one', () => {
  const longest = 'x'.repeat(credentialCharactersMax);
  expect(parseCredential(longest)).toBe(longest);
  expect(() => parseCredential(`${longest}x`)).toThrow('at most 16000 characters');
});

it.each([
  ['sk-0123456789abcd', 'abcd'],
  ['AKIAEXAMPLE:wJalrXUtnFEMI/K7MDENG+key=', 'key='],
])('shows of %s that it ends in %s', (credential, tail) => {
  expect(lastFourOf(credential)).toBe(tail);
});

it.each([
  ['a short key', 'sk-0123456789a'],
  ['a password behind a name', 'administrator:hunter2-hunter2'],
  ['a file', '{\n  "type": "service_account"\n}'],
  ['a file on one line', '{"type":"service_account","project_id":"pictures"}'],
  ['what HTTP cannot carry', 'sk-0123456789abc\u00e9'],
])('shows nothing of %s', (_what, credential) => {
  expect(lastFourOf(credential)).toBeNull();
});
