import type { adminCommon } from '../../i18n/en/admin-common.ts';

type Words = Readonly<Record<string, string>>;

/** A fault of an upstream in words; one that a later version adds stays as it is. */
export function faultText(fault: string, { faults }: typeof adminCommon): string {
  return (faults as Words)[fault] ?? fault;
}

/** Why an upstream was not called, as `faultText` says. */
export function skipText(skip: string, { skips }: typeof adminCommon): string {
  return (skips as Words)[skip] ?? skip;
}

/** What a picture was made without, one by one, as `faultText` says. */
export function warningTexts(
  names: readonly string[],
  { warnings }: typeof adminCommon,
): readonly string[] {
  return names.map((name) => (warnings as Words)[name] ?? name);
}
