import { expect, it } from 'vitest';
import { redactionOf, redactText } from './redact.ts';

const redact = (words: readonly string[], text: string) =>
  redactText(text, redactionOf({ words, pseudonym: 'erased-1' }));

it.each([
  ['ann@example.com asked', 'erased-1 asked'],
  ['Ann@Example.COM, twice: <ann@example.com>.', 'erased-1, twice: <erased-1>.'],
  ['mailto:ann@example.com?subject=x', 'mailto:erased-1?subject=x'],
  ['by ann@example.com.', 'by erased-1.'],
  ['ann@example.com-Konto', 'erased-1-Konto'],
  ['请联系ann@example.com谢谢', '请联系erased-1谢谢'],
  ['said Ann Lee, ANN LEE’s and Ann Lees', 'said erased-1, erased-1’s and erased-1s'],
])('puts the pseudonym in the place of an address and a name: %j', (text, redacted) => {
  expect(redact(['ann@example.com', 'Ann Lee'], text)).toBe(redacted);
});

it.each([
  'joann@example.com',
  'jo.ann@example.com',
  'jo+ann@example.com',
  'JO-ANN@example.com',
  'ann@example.community',
  'ann@example.com2',
  'ann@example.com.au',
  'Joann Lee',
])('leaves what only ends or begins like it: %j', (text) => {
  expect(redact(['ann@example.com', 'Ann Lee'], text)).toBe(text);
});

it('finds a name in letters that are not ASCII, and in a script without spaces', () => {
  expect(redact(['Özlem Ünal'], 'für ÖZLEM ÜNAL')).toBe('für erased-1');
  expect(redact(['李 明'], '由李 明要求')).toBe('由erased-1要求');
});
