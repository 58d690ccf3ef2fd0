/** The one runner of this tab, for whoever is signed in, and what it tells the rest of the console. */
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useMemo, useSyncExternalStore } from 'react';
import { amountFromMicros, formatAmount } from '../../shared/money.ts';
import { bootstrapQuery, useUser } from '../api/bootstrap.ts';
import { openGallery } from '../gallery/open-gallery.ts';
import { openBroadcast } from '../lib/broadcast.ts';
import { onReconnect } from '../lib/connection.ts';
import { setRunningJobs } from '../lib/running-jobs.ts';
import { endsWithPage, isActive, type Job } from './job.ts';
import { JobRunner } from './job-runner.ts';
import { jobService } from './job-service.ts';
import { keepResult } from './keep-result.ts';

/** To other tabs of the same user: balance and slots are not what they were. */
type JobMessage = { kind: 'settled' };

let current: { userId: string; runner: JobRunner } | null = null;

export function useJobRunner(): JobRunner {
  const { id } = useUser();
  const queryClient = useQueryClient();
  return useMemo(() => runnerOf(id, queryClient), [id, queryClient]);
}

export function useJobs(): readonly Job[] {
  const runner = useJobRunner();
  return useSyncExternalStore(runner.subscribe, runner.jobs);
}

function runnerOf(userId: string, queryClient: QueryClient): JobRunner {
  if (current?.userId !== userId) current = { userId, runner: startRunner(userId, queryClient) };
  return current.runner;
}

function startRunner(userId: string, queryClient: QueryClient): JobRunner {
  const gallery = openGallery(userId);
  const runner = new JobRunner({
    service: jobService,
    now: () => performance.now(),
    time: () => new Date().toISOString(),
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    slotsMax: () => queryClient.getQueryData(bootstrapQuery.queryKey)?.user?.slots.max ?? 1,
    keep: (job, finished) => keepResult(gallery, job, finished),
  });
  const others = openBroadcast<JobMessage>('jobs', userId);
  const readBalance = () =>
    void queryClient.invalidateQueries({ queryKey: bootstrapQuery.queryKey });
  others.listen(readBalance);
  runner.watch(({ kind, job }) => {
    // Its hold is open now, or has ended.
    if (kind === 'preview') return;
    if (kind === 'finished') showBalance(queryClient, userId, job);
    readBalance();
    others.tell({ kind: 'settled' });
  });
  runner.subscribe(() => {
    if (current?.runner === runner) setRunningJobs(runner.jobs().filter(isActive).length);
  });
  gallery.then(
    (store) =>
      store.subscribe(() => {
        // Whoever has everything deleted does not mean to make room.
        if (!store.isForgotten()) void runner.keepFull();
      }),
    // Without a gallery there is nowhere to put them.
    () => {},
  );
  // What the service has for them, it has for some minutes only.
  onReconnect(() => runner.checkAll());
  guardUnload(runner);
  return runner;
}

/** At once, from the receipt itself; the service is asked for the rest. */
function showBalance(queryClient: QueryClient, userId: string, { state, price }: Job): void {
  if (state.kind !== 'done') return;
  const { balance } = state.result;
  queryClient.setQueryData(bootstrapQuery.queryKey, (known) => {
    // Somebody else may be signed in by now.
    if (known?.user?.id !== userId) return known;
    // Its own hold is settled; those of others still stand.
    const held = Math.max(0, known.user.wallet.held.micros - price.micros);
    const wallet = {
      balance: wireAmount(balance.micros),
      held: wireAmount(held),
      available: wireAmount(balance.micros - held),
    };
    return { ...known, user: { ...known.user, wallet } };
  });
}

function wireAmount(micros: number) {
  return { micros, text: formatAmount(amountFromMicros(micros)) };
}

/** The service keeps no pictures: what is not yet in the gallery ends with the page. */
function guardUnload(runner: JobRunner): void {
  window.addEventListener('beforeunload', (event) => {
    if (runner.jobs().some(endsWithPage)) event.preventDefault();
  });
}
