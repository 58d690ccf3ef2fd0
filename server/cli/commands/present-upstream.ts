import {
  presentUpstreamLimits,
  type Selection,
  type Upstream,
  type UpstreamKey,
  type UpstreamLimits,
} from '../../catalog/upstream.ts';
import type { UpstreamCheck } from '../../catalog/upstream-check-store.ts';
import { isoTime, utcTime } from '../../lib/time-text.ts';
import { formatDuration } from '../durations.ts';
import { type Cell, type Column, counted, cut } from '../output.ts';
import { presentUpstreamKey } from './upstream-keys.ts';

/** An upstream with its keys and its health; null before its first check. */
export interface ListedUpstream {
  upstream: Upstream;
  keys: readonly UpstreamKey[];
  check: UpstreamCheck | null;
}

/** An upstream as programs get it. Of what is secret, only whether it is there. */
export function presentUpstream({ upstream, keys, check }: ListedUpstream) {
  return {
    id: upstream.id,
    name: upstream.name,
    kind: upstream.kind,
    base_url: upstream.baseUrl,
    proxy: upstream.sealedProxy === null ? 'not set' : 'set',
    enabled: upstream.enabled,
    disabled_reason: upstream.disabledReason,
    priority: upstream.priority,
    weight: upstream.weight,
    created_at: isoTime(upstream.createdAt),
    health: check && presentHealth(check),
    keys: keys.map(presentUpstreamKey),
    limits: presentUpstreamLimits(upstream.limits),
    settings: upstream.settings,
  };
}

/** One upstream, with what it serves. */
export function presentShown(listed: ListedUpstream, selections: readonly Selection[]) {
  return {
    ...presentUpstream(listed),
    selections: selections.map(({ modelId, upstreamModel }) => ({
      model: modelId,
      upstream_model: upstreamModel,
    })),
  };
}

/** The same to be read, one thing a line. */
export function upstreamFields(
  listed: ListedUpstream,
  selections: readonly Selection[],
): readonly (readonly [string, Cell])[] {
  const { upstream, keys } = listed;
  return [
    ['name', upstream.name],
    ['ID', upstream.id],
    ['kind', upstream.kind],
    ['base URL', upstream.baseUrl],
    ['proxy', upstream.sealedProxy === null ? 'not set' : 'set'],
    ['enabled', stateOfUpstream(upstream)],
    ['health', healthField(listed)],
    ['priority', upstream.priority],
    ['weight', upstream.weight],
    ...limitFields(upstream.limits),
    ['added', isoTime(upstream.createdAt)],
    ...keys.map((key): [string, Cell] => [`key ${key.name}`, stateOf(key)]),
    ...selections.map(({ modelId, upstreamModel }): [string, Cell] => [
      `serves ${modelId}`,
      `with ${upstreamModel}`,
    ]),
    ...Object.entries(upstream.settings).map(([name, value]): [string, Cell] => [
      `setting ${name}`,
      cut(JSON.stringify(value)),
    ]),
  ];
}

export const upstreamColumns: readonly Column<ListedUpstream>[] = [
  { title: 'NAME', cell: ({ upstream }) => upstream.name },
  { title: 'KIND', cell: ({ upstream }) => upstream.kind },
  { title: 'ENABLED', cell: ({ upstream }) => stateOfUpstream(upstream) },
  { title: 'HEALTH', cell: healthOf },
  { title: 'KEYS', cell: ({ keys }) => countKeys(keys) },
  { title: 'PRIORITY', cell: ({ upstream }) => upstream.priority, align: 'right' },
  { title: 'WEIGHT', cell: ({ upstream }) => upstream.weight, align: 'right' },
  { title: 'BASE URL', cell: ({ upstream }) => upstream.baseUrl },
  { title: 'ID', cell: ({ upstream }) => upstream.id },
];

function presentHealth(check: UpstreamCheck) {
  return {
    checked_at: isoTime(check.checkedAt),
    took_ms: check.tookMs,
    fault: check.fault,
    status: check.status,
    models_listed: check.modelsListed,
    failures: check.failures,
    failing_since: check.failingSince === null ? null : isoTime(check.failingSince),
  };
}

/** Of an upstream that is in use; of another, nobody looks. */
function healthOf({ upstream, check }: ListedUpstream): string | null {
  if (!upstream.enabled || !check) return null;
  if (check.failingSince === null) return 'answers';
  return `${check.fault} since ${utcTime(check.failingSince)} UTC`;
}

function healthField({ upstream, check }: ListedUpstream): string | null {
  if (!check) return upstream.enabled ? 'not checked yet' : null;
  const checked = `checked ${isoTime(check.checkedAt)}, ${check.tookMs} ms`;
  if (check.failingSince === null)
    return `answers, ${counted(check.modelsListed ?? 0, 'model')}; ${checked}`;
  const fault = check.status === null ? check.fault : `${check.fault} (${check.status})`;
  const checks = counted(check.failures, 'check');
  return `${fault} since ${isoTime(check.failingSince)}, ${checks}; last ${checked}`;
}

function limitFields(limits: UpstreamLimits): readonly (readonly [string, Cell])[] {
  return [
    ['calls at once', limits.concurrencyMax ?? 'any number'],
    ['calls in the queue', limits.queueMax],
    ['wait in the queue', formatDuration(limits.queueWaitMs)],
    ['wait for an answer', formatDuration(limits.firstByteMs)],
    ['silence in an answer', formatDuration(limits.idleMs)],
  ];
}

function stateOf({ enabled, disabledReason: reason }: UpstreamKey): string {
  if (enabled) return 'enabled';
  return reason === null ? 'disabled' : `disabled by the service because of ${reason}`;
}

function stateOfUpstream({ enabled, disabledReason }: Upstream): string {
  if (enabled) return 'yes';
  return disabledReason === null ? 'no' : `no: by the service because of ${disabledReason}`;
}

function countKeys(keys: readonly UpstreamKey[]): string | null {
  if (keys.length === 0) return null;
  const enabled = keys.filter((key) => key.enabled).length;
  return enabled === keys.length ? String(enabled) : `${enabled} of ${keys.length}`;
}
