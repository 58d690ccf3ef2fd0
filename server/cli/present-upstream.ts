import type { Upstream } from '../catalog/upstream.ts';
import { isoTime } from '../lib/time-text.ts';
import type { Column } from './output.ts';

/** An upstream as programs get it. Of the credential, only whether there is one. */
export function presentUpstream(upstream: Upstream) {
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
    limits: upstream.limits,
    settings: upstream.settings,
  };
}

export const upstreamColumns: readonly Column<Upstream>[] = [
  { title: 'NAME', cell: ({ name }) => name },
  { title: 'KIND', cell: ({ kind }) => kind },
  { title: 'ENABLED', cell: ({ enabled }) => enabled },
  { title: 'PRIORITY', cell: ({ priority }) => priority, align: 'right' },
  { title: 'WEIGHT', cell: ({ weight }) => weight, align: 'right' },
  { title: 'BASE URL', cell: ({ baseUrl }) => baseUrl },
  { title: 'ID', cell: ({ id }) => id },
];
