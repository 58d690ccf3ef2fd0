import type { Role } from './user.ts';

/** What a role may do in the console, by name. Routes ask for one; nothing else compares roles. */
export const rights = [
  'own',
  'admin.overview',
  'admin.models',
  'admin.upstreams',
  'admin.users',
  'admin.log',
  'admin.audit',
  'admin.settings',
] as const;
export type Right = (typeof rights)[number];

const rightsOfRoles: Readonly<Record<Role, readonly Right[]>> = {
  // One's own usage, wallet, keys and account.
  user: ['own'],
  admin: rights,
};

export function mayDo(role: Role, right: Right): boolean {
  return rightsOfRoles[role].includes(right);
}

export function rightsOf(role: Role): readonly Right[] {
  return rightsOfRoles[role];
}
