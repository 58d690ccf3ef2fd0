/**
 * Which upstreams must have a key, and which must not. An upstream that must is given its first one
 * when it is added, and cannot lose its last one while it is enabled.
 */
import { invalidRequest } from '../../lib/service-error.ts';
import type { UpstreamAccess } from './ask-upstream.ts';

type Kinds = UpstreamAccess['kinds'];

/** Of a kind that this version does not know, nothing is said. */
export function needsKey(kinds: Kinds, kind: string): boolean {
  return kinds.get(kind)?.credential === 'needed';
}

/** @param how the command line gives it one: a command, or an option */
export function refuseMissingKey(kinds: Kinds, kind: string, how: string): void {
  if (!needsKey(kinds, kind)) return;
  throw invalidRequest('credential', `An upstream of kind ${kind} needs a credential.`, {
    command: how,
  });
}

export function refuseUnusedKey(kinds: Kinds, kind: string): void {
  if (kinds.get(kind)?.credential !== 'unused') return;
  throw invalidRequest('credential', `An upstream of kind ${kind} takes no credential.`);
}
