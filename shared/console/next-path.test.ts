import { expect, test } from 'vitest';
import { safeNextPath } from './next-path.ts';

test.each([
  ['/', '/'],
  ['/usage', '/usage'],
  ['/usage?range=7d&tz=Asia%2FShanghai', '/usage?range=7d&tz=Asia%2FShanghai'],
  ['/t/tr_01kdvdna00r1hnf218w1804dn2', '/t/tr_01kdvdna00r1hnf218w1804dn2'],
  ['/gallery#top', '/gallery#top'],
  ['/v1beta', '/v1beta'],
  ['/usage?next=https://evil.example', '/usage?next=https://evil.example'],
  [`/${'a'.repeat(1_999)}`, `/${'a'.repeat(1_999)}`],
])('%s is a page of ours', (wanted, page) => {
  expect(safeNextPath(wanted)).toBe(page);
});

test.each([
  [''],
  [null],
  [undefined],
  ['https://evil.example'],
  ['//evil.example'],
  ['///evil.example'],
  ['/\\evil.example'],
  ['\\\\evil.example'],
  ['/\\/evil.example'],
  ['/\t/evil.example'],
  ['/\n//evil.example'],
  [' //evil.example'],
  ['/ /evil.example'],
  ['/./\\evil.example'],
  ['/.//evil.example'],
  ['/usage/..//evil.example'],
  ['/%2e//evil.example'],
  ['javascript:alert(1)'],
  ['data:text/html,x'],
  ['evil.example'],
  ['@evil.example'],
  ['/usage\r\nset-cookie: a=b'],
  ['/\u0000/evil.example'],
  ['/ü'],
  ['/api/console/sign-in/issuer/callback?code=1'],
  ['/usage/../api/console/sign-out'],
  ['/v1/models'],
  [`/${'a'.repeat(2_000)}`],
])('%j leads home instead', (wanted) => {
  expect(safeNextPath(wanted)).toBe('/');
});
