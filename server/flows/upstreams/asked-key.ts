/** With which of its keys an upstream is asked. */
import type { Upstream, UpstreamKey } from '../../catalog/upstream.ts';
import { listUpstreamKeys } from '../../catalog/upstream-key-store.ts';
import { findUpstream, requireUpstream } from '../../catalog/upstream-store.ts';
import type { Db } from '../../db/db.ts';
import type { AskedUpstream } from './ask-upstream.ts';
import { requireKey } from './change-upstream-keys.ts';

/** An upstream with the key named, or with the first that is enabled. */
export async function findAskedUpstream(
  db: Db,
  { upstream: idOrName, key }: { upstream: string; key: string | null },
): Promise<AskedUpstream> {
  const upstream = await requireUpstream(db, idOrName);
  return key === null ? withKey(db, upstream) : withNamedKey(db, upstream, key);
}

/** The upstream with the first of its keys that is enabled. */
export async function withKey(db: Db, asked: Upstream): Promise<AskedUpstream> {
  const { upstream, keys } = await readWithKeys(db, asked);
  return { upstream, key: keys.find(({ enabled }) => enabled) ?? null };
}

/** The upstream with each of its keys that are enabled; without one where there is none. */
export async function withEachKey(db: Db, asked: Upstream): Promise<readonly AskedUpstream[]> {
  const { upstream, keys } = await readWithKeys(db, asked);
  const enabled = keys.filter((key) => key.enabled);
  return enabled.length === 0
    ? [{ upstream, key: null }]
    : enabled.map((key) => ({ upstream, key }));
}

/** The upstream with the key of that name, enabled or not. */
export async function withNamedKey(db: Db, asked: Upstream, name: string): Promise<AskedUpstream> {
  const { upstream, keys } = await readWithKeys(db, asked);
  return { upstream, key: requireKey({ upstream, keys }, name) };
}

/** Both as they were at one time: the credential of a new address must not go to the one before. */
async function readWithKeys(
  db: Db,
  asked: Upstream,
): Promise<{ upstream: Upstream; keys: readonly UpstreamKey[] }> {
  for (let upstream = asked; ; ) {
    const keys = await listUpstreamKeys(db, { upstreamId: upstream.id });
    const now = await findUpstream(db, upstream.id);
    if (!now || now.begunTimes === upstream.begunTimes) return { upstream, keys };
    upstream = now;
  }
}
