import { expect, it } from 'vitest';
import { checkUserSlots, parseEmail, parseUserName } from './user.ts';

it.each([
  ['alice@example.com', 'alice@example.com'],
  ['  Alice@Example.COM ', 'alice@example.com'],
  ['demo@tintype.local', 'demo@tintype.local'],
])('reads %j as the address %s', (text, email) => {
  expect(parseEmail(text)).toBe(email);
});

it.each([
  '',
  'alice',
  '@example.com',
  'alice@',
  'a b@example.com',
  'a@b@c',
  // Mail for it goes to another address, which has its own account and its own limits.
  'alice@example.com>',
  '<alice@example.com',
  `${'a'.repeat(251)}@b.c`,
  // Read as another's: one with an invisible blank, and one that is turned around.
  'alice\u200b@example.com',
  '\u202emoc.elpmaxe@ecila',
  // The sign for kelvin, of which the lower case is the k of somebody else's address.
  '\u212aim@example.com',
])('refuses %j as an address', (text) => {
  expect(() => parseEmail(text)).toThrow('is not an e-mail address');
});

it.each(['Zoë', 'علی\u200cرضا', '\u{1f469}\u200d\u{1f52c}', '\u{1f3f3}\ufe0f\u200d\u{1f308}'])(
  'takes %j as a name',
  (text) => {
    expect(parseUserName(text)).toBe(text);
  },
);

it.each(['', ' ', '\u200b\u2060', '\u3164', 'x'.repeat(101), 'bell\u0007', 'Ann \u202eruo nimda'])(
  'refuses %j as a name',
  (text) => {
    expect(() => parseUserName(text)).toThrow('A name has 1 to 100 printable characters.');
  },
);

it.each([null, 0, 1, 10_000])('takes %j as a number of slots', (slots) => {
  expect(() => checkUserSlots(slots)).not.toThrow();
});

it.each([-1, 1.5, 10_001, Number.NaN])('refuses %j as a number of slots', (slots) => {
  expect(() => checkUserSlots(slots)).toThrow('whole number from 0 to 10000');
});
