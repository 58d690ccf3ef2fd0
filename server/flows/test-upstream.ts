import { listUpstreamKeys } from '../catalog/upstream-key-store.ts';
import { requireUpstream } from '../catalog/upstream-store.ts';
import type { Db } from '../db/db.ts';
import type { Clock } from '../lib/clock.ts';
import { ServiceError } from '../lib/service-error.ts';
import { type Fault, UpstreamError } from '../upstreams/upstream.ts';
import type { AskedUpstream, UpstreamAccess } from './ask-upstream.ts';
import { fetchModelList, withKey } from './sync-upstream-models.ts';

/** Whether an upstream answers, and if it does not, why, as its operator may know it. */
export type TestOutcome =
  | { kind: 'answers'; models: number; tookMs: number }
  | { kind: 'failed'; fault: Fault; status: number | null; message: string; tookMs: number };

/** Asks for the model list, which costs nothing, and keeps none of it. */
export async function testUpstream(
  { clock, signal }: { clock: Clock; signal: AbortSignal },
  access: UpstreamAccess,
  asked: AskedUpstream,
): Promise<TestOutcome> {
  const begun = clock.monotonic();
  const tookMs = () => Math.round(clock.monotonic() - begun);
  try {
    const list = await fetchModelList({ clock, signal }, access, asked);
    return { kind: 'answers', models: list.length, tookMs: tookMs() };
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    const { fault, status, message } = error;
    return { kind: 'failed', fault, status, message, tookMs: tookMs() };
  }
}

/** An upstream with the key named, or with the first that is enabled. */
export async function findAskedUpstream(
  db: Db,
  { upstream: idOrName, key: name }: { upstream: string; key: string | null },
): Promise<AskedUpstream> {
  const upstream = await requireUpstream(db, idOrName);
  if (name === null) return withKey(db, upstream);
  const keys = await listUpstreamKeys(db, { upstreamId: upstream.id });
  const key = keys.find((one) => one.name === name);
  if (key) return { upstream, key };
  throw new ServiceError('not_found', `${upstream.name} has no key ${name}.`);
}

/** Tells an administrator why an upstream did not do what was asked of it. */
export async function tellingUpstreamErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    const status = error.status === null ? '' : `, status ${error.status}`;
    throw new ServiceError(
      'upstream_error',
      `The upstream failed (${error.fault}${status}): ${error.message}.`,
      { retryable: false, cause: error },
    );
  }
}
