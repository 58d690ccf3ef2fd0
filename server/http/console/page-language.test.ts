import { expect, it } from 'vitest';
import { pageLanguage } from './page-language.ts';

it.each([
  ['zh-CN', 'zh-CN'],
  ['zh', 'zh-CN'],
  ['zh-Hant-TW,zh;q=0.9,en;q=0.8', 'zh-CN'],
  ['en-GB,en;q=0.9,zh-CN;q=0.8', 'en'],
  ['en;q=0.4, ZH-CN ; q=0.9', 'zh-CN'],
  ['de,fr;q=0.9,en;q=0.1,zh;q=0.2', 'zh-CN'],
  ['zh;q=0, en;q=0.1', 'en'],
  ['de-AT,zha', null],
  ['*', null],
  ['zh;q=many', null],
  ['', null],
  [undefined, null],
])('of %j, %j is spoken', (accepted, language) => {
  expect(pageLanguage(accepted)).toBe(language);
});
