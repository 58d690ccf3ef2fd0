import type { SweepResult } from '../flows/money/sweep-holds.ts';
import type { RunWatch } from '../flows/requests/runs/run-watch.ts';
import type { RequestWatch } from '../http/request-watch.ts';
import type { MailOutcome } from '../lib/mailer.ts';
import type { BreakerState } from '../upstreams/breaker.ts';
import { LabelNames } from './label-cache.ts';
import {
  MetricRegistry,
  type MetricsJson,
  type MetricsText,
  sumMetrics,
} from './metric-registry.ts';
import { metricTable } from './metric-table.ts';
import { watchRequests } from './request-metrics.ts';
import { watchRuns, watchSweeps } from './run-metrics.ts';
import { type State, showState } from './state-metrics.ts';

export type { MetricsJson };

/** The metrics of this process, and who counts them. */
export interface OwnMetrics {
  requests: RequestWatch;
  runs: RunWatch;
  onSwept: (result: SweepResult) => void;
  onMail: (outcome: MailOutcome) => void;
  onBreaker: (upstream: string, state: BreakerState) => void;
  /** From then on they show what there is to look at, too. */
  show: (state: State) => void;
  /** As Prometheus reads them. */
  text: () => Promise<MetricsText>;
  /** As numbers, for `sum`. */
  json: () => Promise<MetricsJson>;
  /** What several processes have counted, as one. */
  sum: (processes: readonly MetricsJson[]) => Promise<MetricsText>;
}

/**
 * Loads the library, which nobody needs who wants no metrics.
 *
 * @param worker its number, where several processes are one service
 */
export async function openMetrics(worker: number | null = null): Promise<OwnMetrics> {
  const prom = await import('prom-client');
  const registry = new MetricRegistry(prom, worker);
  const breakerChanges = registry.counter(metricTable.breakerChanges);
  const mails = registry.counter(metricTable.mails);
  const upstreams = new LabelNames();
  return {
    requests: watchRequests(registry),
    runs: watchRuns(registry),
    onSwept: watchSweeps(registry),
    onMail: (outcome) => mails([outcomeOf(outcome)]),
    onBreaker: (upstream, state) => breakerChanges([upstreams.of(upstream), state]),
    show: (state) => showState(registry, state),
    text: () => registry.text(),
    json: () => registry.json(),
    sum: (processes) => sumMetrics(prom, processes),
  };
}

function outcomeOf(outcome: MailOutcome): 'sent' | 'refused' | 'failed' {
  if (outcome.kind === 'sent') return 'sent';
  return outcome.isFinal ? 'refused' : 'failed';
}
