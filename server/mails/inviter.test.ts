import { expect, it } from 'vitest';
import { inviterText } from './inviter.ts';
import { mailWords } from './mail-words.ts';

const email = 'ada@example.com';

it.each([
  ['Ada Lovelace', email, 'Ada Lovelace (ada@example.com)'],
  ['Dr. Ada', email, 'Dr. Ada (ada@example.com)'],
  ['李雷', '李雷+图片@例子.中国', '李雷 (李雷+图片@例子.中国)'],
  // As the first administrator is called, until they say otherwise.
  [email, email, email],
  ['https://evil.example', email, email],
  ['evil.example', email, email],
  ['Win at evil。example', email, email],
  ['mail eve@evil', email, email],
  ['//evil', email, email],
  ['javascript:alert(1)', email, email],
  ['Ada', 'https://evil.example/@x', 'Ada'],
  ['evil.example', 'https://evil.example/@x', 'An administrator'],
])('%s, whose address is %s, invites as %s', (name, address, shown) => {
  expect(inviterText({ name, email: address }, mailWords.en.inviter)).toBe(shown);
});
