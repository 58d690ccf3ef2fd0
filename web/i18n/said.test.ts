import { expect, it } from 'vitest';
import { said } from './said.ts';
import { service } from './zh-CN/service.ts';

it.each([
  ['The e-mail address or the password is wrong.', '邮箱或密码错误。'],
  ['There is already an upstream called studio.v2.', '已有名为 studio.v2 的上游。'],
  ['A top-up is between 5.00 and 500.00.', '每次充值的金额在 5.00 到 500.00 之间。'],
  ['"a$&b" is not an e-mail address.', '“a$&b”不是邮箱地址。'],
  ['The upstream failed (timeout): it did not answer.', '上游出错（timeout）：it did not answer。'],
])('says in Chinese: %s', (message, words) => {
  expect(said(message, service)).toBe(words);
});

it.each([
  'What nobody has words for.',
  'There is already an upstream called studio',
  'See: The password is wrong.',
  'constructor',
])('leaves as it is said: %s', (message) => {
  expect(said(message, service)).toBe(message);
});

it('leaves everything as it is said where a language has no words of its own', () => {
  expect(said('The password is wrong.', {})).toBe('The password is wrong.');
});
