/** The one runner of this tab, for whoever is signed in, and what it tells the rest of the console. */
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useMemo, useSyncExternalStore } from 'react';
import { amountFromMicros, formatAmount } from '../../shared/money.ts';
import { bootstrapQuery, useUser } from '../api/bootstrap.ts';
import { openGallery } from '../gallery/kept/open-gallery.ts';
import { openBroadcast } from '../lib/broadcast.ts';
import { onReconnect } from '../lib/connection.ts';
import { openPageLives } from '../lib/page-lives.ts';
import { randomId } from '../lib/random-id.ts';
import { setRunningJobs } from '../lib/running-jobs.ts';
import { endsWithPage, isActive, type Job } from './job.ts';
import { JobRunner } from './job-runner.ts';
import { jobService } from './job-service.ts';
import { keepResult } from './keep-result.ts';
import { LeftJobs, type LeftJobsDeps } from './left-jobs.ts';

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
  const readAnew = () => {
    void queryClient.invalidateQueries({ queryKey: bootstrapQuery.queryKey });
    // Where requests are listed: without waiting for the next time it looks.
    void queryClient.invalidateQueries({ queryKey: ['usage', 'watch'] });
  };
  others.listen(readAnew);
  runner.watch(({ kind, job }) => {
    // Its hold is open now, or has ended.
    if (kind === 'preview') return;
    if (kind === 'finished') showBalance(queryClient, userId, job);
    readAnew();
    others.tell({ kind: 'settled' });
  });
  let left: LeftJobs | null = null;
  const isCurrent = () => current?.runner === runner;
  // After a sign-out the page stays, and with it its runner.
  const isSignedIn = () =>
    isCurrent() && queryClient.getQueryData(bootstrapQuery.queryKey)?.user?.id === userId;
  const count = () => {
    if (isCurrent()) setRunningJobs(countsOf(runner.jobs(), left));
  };
  runner.subscribe(count);
  gallery.then(
    (store) => {
      store.subscribe(() => {
        // Whoever has everything deleted does not mean to make room.
        if (!store.isForgotten()) void runner.keepFull();
      });
      left = goOnWithLeft(userId, { runner, gallery: store, isSignedIn, onChange: count });
    },
    // Without a gallery there is nowhere to put them.
    () => {},
  );
  // What the service has for them, it has for some minutes only.
  onReconnect(() => runner.checkAll());
  guardUnload(runner);
  return runner;
}

function goOnWithLeft(
  userId: string,
  deps: Pick<LeftJobsDeps, 'runner' | 'gallery' | 'isSignedIn' | 'onChange'>,
): LeftJobs {
  const pageId = randomId();
  const lives = openPageLives(`tintype.page.${userId}`, pageId);
  const clocks = { now: () => performance.now(), wallMs: () => Date.now() };
  const left = new LeftJobs({ ...deps, ...clocks, pageId, lives });
  void left.look();
  // Other pages may have come and gone meanwhile.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void left.look();
  });
  return left;
}

function countsOf(jobs: readonly Job[], left: LeftJobs | null) {
  const active = jobs.filter(isActive);
  const lost = jobs.filter((job) => endsWithPage(job) && !left?.has(job.id));
  return { running: active.length, endingWithPage: lost.length };
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

/**
 * The service keeps pictures for some minutes only: what is not yet in the gallery may be lost with the page. Also where
 * the next page would go on with it, for the browser does not say whether this one is closed for good.
 */
function guardUnload(runner: JobRunner): void {
  window.addEventListener('beforeunload', (event) => {
    if (runner.jobs().some(endsWithPage)) event.preventDefault();
  });
}
