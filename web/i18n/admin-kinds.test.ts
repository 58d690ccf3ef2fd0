import { expect, it } from 'vitest';
import { describeKinds } from '../../server/flows/upstreams/describe-kinds.ts';
import { adapterKinds } from '../../server/upstreams/registry.ts';
import {
  readFields,
  type SettingField,
} from '../pages/admin/upstreams/connection/settings-schema.ts';
import { adminKinds } from './zh-CN/admin-kinds.ts';
import { adminUpstreams } from './zh-CN/admin-upstreams.ts';

it('every kind of upstream and each of its settings has Chinese words, and nothing else has', () => {
  const names = describeKinds(adapterKinds).flatMap(({ kind, settings }) => [
    kind,
    ...namesOf(kind, readFields(settings)),
  ]);
  const mend = 'their words stand in web/i18n/zh-CN/admin-kinds.ts';
  expect(Object.keys(adminKinds).toSorted(), mend).toEqual(names.toSorted());
});

it.each(describeKinds(adapterKinds).map(({ kind, credentialForm }) => [kind, credentialForm]))(
  'what %s expects as a credential is said in Chinese',
  (_kind, form) => {
    const words = adminUpstreams.credentialForm(form);
    // Names of services and of what they call theirs.
    const rest = words.replace(/Vertex AI|Amazon Bedrock|API|JSON|Bearer|ID/g, '');
    expect(rest).not.toMatch(/[A-Za-z]/);
  },
);

function namesOf(prefix: string, fields: readonly SettingField[]): readonly string[] {
  return fields.flatMap(({ path, control }) => {
    const name = `${prefix}.${path}`;
    return [name, ...(control.kind === 'workflows' ? namesOf(name, control.own) : [])];
  });
}
