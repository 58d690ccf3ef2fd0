/** One thing has one name in Chinese, on whichever page it is. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { account } from './zh-CN/account.ts';
import { adminUsers } from './zh-CN/admin-users.ts';

const folder = new URL('zh-CN/', import.meta.url);

it.each(readdirSync(folder))('%s speaks of an upstream as 上游', (file) => {
  expect(readFileSync(new URL(file, folder), 'utf8')).not.toContain('上游服务');
});

it('a person has a 姓名, to themselves and to an administrator', () => {
  expect([account.profile.name, adminUsers.name]).toEqual(['姓名', '姓名']);
});
