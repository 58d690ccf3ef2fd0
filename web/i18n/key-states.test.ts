/** An API key's owner and administrators read the same words of its state, in each language. */
import { expect, it } from 'vitest';
import { adminUsers } from './en/admin-users.ts';
import { keys } from './en/keys.ts';
import { adminUsers as chineseAdminUsers } from './zh-CN/admin-users.ts';
import { keys as chineseKeys } from './zh-CN/keys.ts';

it.each([
  ['English', keys, adminUsers],
  ['Chinese', chineseKeys, chineseAdminUsers],
] as const)(
  'calls the states of keys, and their end, the same on both pages in %s',
  (_language, own, admins) => {
    expect(admins.keyStates).toEqual(own.statuses);
    expect(admins.endKey).toBe(own.revoke);
  },
);
