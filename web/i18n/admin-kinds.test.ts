import { expect, it } from 'vitest';
import { describeKinds } from '../../server/flows/describe-kinds.ts';
import { adapterKinds } from '../../server/upstreams/registry.ts';
import { readFields } from '../pages/admin/upstreams/settings-schema.ts';
import { adminKinds } from './zh-CN/admin-kinds.ts';

it('every kind of upstream and each of its settings has Chinese words, and nothing else has', () => {
  const names = describeKinds(adapterKinds).flatMap(({ kind, settings }) => [
    kind,
    ...readFields(settings).map(({ path }) => `${kind}.${path}`),
  ]);
  expect(Object.keys(adminKinds).toSorted()).toEqual(names.toSorted());
});
