import type { adminKinds as source } from '../en/admin-kinds.ts';

export const adminKinds: typeof source = {};
