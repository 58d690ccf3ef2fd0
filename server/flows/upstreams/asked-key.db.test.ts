import { expect, it } from 'vitest';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import { addStudio, addStudioKey } from '../../../test/support/upstreams/studio.ts';
import { requireUpstream } from '../../catalog/upstream-store.ts';
import type { AskedUpstream } from './ask-upstream.ts';
import { findAskedUpstream, withEachKey, withKey } from './asked-key.ts';
import { setEnabledOfUpstreamKey } from './change-upstream-keys.ts';

const nameOf = ({ key }: AskedUpstream) => key?.name ?? null;

forEachEngine((engine) => {
  it('an upstream is asked with keys that are enabled, or with the one that is named', async () => {
    const { admin, service } = await addStudio(await engine.open());
    const { database } = admin;
    await addStudioKey(admin, service, 'spare');
    await addStudioKey(admin, service, 'third');
    await setEnabledOfUpstreamKey(admin, { upstream: 'studio', name: 'main', enabled: false });
    const upstream = await requireUpstream(database, 'studio');
    expect(nameOf(await withKey(database, upstream))).toBe('spare');
    expect((await withEachKey(database, upstream)).map(nameOf)).toEqual(['spare', 'third']);
    const named = { upstream: 'studio', key: 'main' };
    expect(nameOf(await findAskedUpstream(database, named))).toBe('main');
  });
});
