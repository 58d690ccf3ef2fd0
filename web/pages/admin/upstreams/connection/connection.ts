/** The form of an upstream's connection, between what is typed and what is sent. */
import type { UpstreamKind } from '../../../../../shared/console/admin-upstreams.ts';
import type { UpstreamDetail, UpstreamPatch } from '../../../../api/admin-upstreams.ts';
import type { FormErrors } from '../../../../forms/use-form.ts';
import { settingChanges } from './setting-changes.ts';
import { draftOf, problemsOf, type SettingDraft, type SettingField } from './settings-schema.ts';

export interface Connection {
  name: string;
  base_url: string;
  /** Empty leaves it as it is. */
  proxy: string;
  /** Whether the proxy is to be forgotten. */
  isDirect: boolean;
  /** Empty leaves it as it is. */
  credential: string;
  priority: string;
  weight: string;
  settings: SettingDraft;
}

interface Described {
  kind: UpstreamKind;
  fields: readonly SettingField[];
}

const wholeNumber = /^-?\d{1,6}$/;

export function connectionOf(
  upstream: UpstreamDetail,
  fields: readonly SettingField[],
): Connection {
  return {
    name: upstream.name,
    base_url: upstream.base_url ?? '',
    proxy: '',
    isDirect: false,
    credential: '',
    priority: String(upstream.priority),
    weight: String(upstream.weight),
    settings: draftOf(fields, upstream.settings),
  };
}

export function checkConnection(
  { name, base_url: url, priority, weight, settings }: Connection,
  { kind, fields }: Described,
  words: { missing: string; badUrl: string; badNumber: string; badSettings: string },
): FormErrors<Connection> {
  const isUrlNeeded = kind.base_url === 'needed' || url.trim() !== '';
  return {
    name: name.trim() === '' ? words.missing : null,
    base_url: isUrlNeeded && !URL.canParse(url.trim()) ? words.badUrl : null,
    priority: wholeNumber.test(priority) ? null : words.badNumber,
    weight: wholeNumber.test(weight) ? null : words.badNumber,
    settings: problemsOf(fields, settings).size > 0 ? words.badSettings : null,
  };
}

/** What was not changed stays, of the settings also. */
export function patchOf(
  changes: Partial<Connection>,
  { fields, base }: { fields: readonly SettingField[]; base: Connection },
): UpstreamPatch {
  const { name, base_url: url, proxy, isDirect, credential, priority, weight, settings } = changes;
  return {
    name: name?.trim(),
    ...(url === undefined ? {} : { base_url: url.trim() === '' ? null : url.trim() }),
    ...(isDirect ? { proxy: null } : {}),
    ...(!isDirect && proxy !== undefined && proxy.trim() !== '' ? { proxy: proxy.trim() } : {}),
    credential,
    ...(priority === undefined ? {} : { priority: Number(priority) }),
    ...(weight === undefined ? {} : { weight: Number(weight) }),
    ...(settings === undefined
      ? {}
      : { settings_changes: [...settingChanges(fields, { from: base.settings, to: settings })] }),
  };
}

/** The service then wants the credential again: nobody may send it on to a host of their own. */
export function sendsKeysElsewhere(
  { base_url: typed, proxy, isDirect, settings }: Connection,
  upstream: Pick<UpstreamDetail, 'base_url' | 'key_list' | 'settings'>,
  fields: readonly SettingField[],
): boolean {
  if (upstream.key_list.length === 0) return false;
  const url = typed.trim();
  const origin = originOf(url);
  // What cannot be read as an address is not finished yet.
  const isMoved = (origin !== null || url === '') && origin !== originOf(upstream.base_url ?? '');
  const isOverheard = !isDirect && proxy.trim() !== '' && url.startsWith('http:');
  const known = originsIn(Object.values(upstream.settings));
  const isLed = originsIn(addressesOf(fields, settings)).some((each) => !known.includes(each));
  return isMoved || isOverheard || isLed;
}

/** Some kinds have a second address among their settings, such as the one that issues tokens. */
function addressesOf(fields: readonly SettingField[], draft: SettingDraft): readonly unknown[] {
  return fields.flatMap(({ path, control, fallback }) => {
    const typed = draft[path];
    const isText = control.kind === 'text' && typeof typed === 'string';
    return isText && typed.trim() !== fallback ? [typed.trim()] : [];
  });
}

function originsIn(values: readonly unknown[]): readonly string[] {
  return values.flatMap((value) =>
    typeof value === 'string' && /^https?:/i.test(value) ? (originOf(value) ?? []) : [],
  );
}

function originOf(url: string): string | null {
  return URL.parse(url)?.origin ?? null;
}
