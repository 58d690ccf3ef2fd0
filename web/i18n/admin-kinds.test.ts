import { expect, it } from 'vitest';
import { describeKinds } from '../../server/flows/describe-kinds.ts';
import { adapterKinds } from '../../server/upstreams/registry.ts';
import { readFields, type SettingField } from '../pages/admin/upstreams/settings-schema.ts';
import { adminKinds } from './zh-CN/admin-kinds.ts';

it('every kind of upstream and each of its settings has Chinese words, and nothing else has', () => {
  const names = describeKinds(adapterKinds).flatMap(({ kind, settings }) => [
    kind,
    ...namesOf(kind, readFields(settings)),
  ]);
  const mend = 'their words stand in web/i18n/zh-CN/admin-kinds.ts';
  expect(Object.keys(adminKinds).toSorted(), mend).toEqual(names.toSorted());
});

function namesOf(prefix: string, fields: readonly SettingField[]): readonly string[] {
  return fields.flatMap(({ path, control }) => {
    const name = `${prefix}.${path}`;
    return [name, ...(control.kind === 'workflows' ? namesOf(name, control.own) : [])];
  });
}
