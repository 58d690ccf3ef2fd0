import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { UsageList, UsageRow } from '../../../../shared/console/usage.ts';
import type { Query } from '../../../api/call-api.ts';
import { usageListQuery, usageWatchQuery } from '../../../api/usage.ts';
import { keptTexts } from '../../../lib/kept-texts.ts';

export const refreshes = ['off', '10s', '60s'] as const;
export type Refresh = (typeof refreshes)[number];

const everyMs: Readonly<Record<Refresh, number | null>> = {
  off: null,
  '10s': 10_000,
  '60s': 60_000,
};

export interface NewRequestsState {
  /** The rows of the page where they are, as far as known with what became of them. */
  rows: readonly UsageRow[];
  /** How many came since; they wait until somebody wants to see them. */
  count: number;
  /** Whether there are more than one page of them. */
  isMore: boolean;
  show: () => void;
  refresh: Refresh;
  setRefresh: (refresh: Refresh) => void;
}

/** Looks for new requests without moving the rows under the pointer. */
export function useNewRequests({
  list,
  query,
  isFirstPage,
}: {
  list: UsageList;
  query: Query;
  isFirstPage: boolean;
}): NewRequestsState {
  const [refresh, setRefresh] = useRefresh();
  const queryClient = useQueryClient();
  const watched = useQuery(usageWatchQuery(query, isFirstPage ? everyMs[refresh] : null));
  const fresh = isFirstPage ? watched.data : undefined;
  const { rows, count } = useMemo(() => compare(list.items, fresh?.items ?? []), [list, fresh]);
  return {
    rows,
    count,
    isMore: fresh !== undefined && count === fresh.items.length && fresh.older !== null,
    show: () => {
      queryClient.setQueryData(usageListQuery({ ...query, cursor: undefined }).queryKey, fresh);
      void queryClient.invalidateQueries({ queryKey: ['usage', 'chart'] });
    },
    refresh,
    setRefresh,
  };
}

function compare(shown: readonly UsageRow[], fresh: readonly UsageRow[]) {
  const known = new Set(shown.map(({ trace_id }) => trace_id));
  const latest = new Map(fresh.map((row) => [row.trace_id, row]));
  return {
    rows: shown.map((row) => latest.get(row.trace_id) ?? row),
    count: countNew(fresh, known),
  };
}

/** Those before the first that is on the page: rows behind the page's end are no news. */
function countNew(fresh: readonly UsageRow[], known: ReadonlySet<string>): number {
  const first = fresh.findIndex(({ trace_id }) => known.has(trace_id));
  return first === -1 ? fresh.length : first;
}

const storageKey = 'tintype.refresh.usage';

/** As it was the last time in this browser. */
function useRefresh() {
  const [refresh, set] = useState<Refresh>(
    () => refreshes.find((each) => each === keptTexts.read(storageKey)) ?? '60s',
  );
  const setRefresh = (chosen: Refresh) => {
    keptTexts.write(storageKey, chosen);
    set(chosen);
  };
  return [refresh, setRefresh] as const;
}
