import type { adminCommon } from '../../i18n/en/admin-common.ts';

/** A fault of an upstream in words; one that a later version adds stays as it is. */
export function faultText(fault: string, { faults }: typeof adminCommon): string {
  const known: Readonly<Record<string, string>> = faults;
  return known[fault] ?? fault;
}
