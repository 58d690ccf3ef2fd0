import type { AnsweredRequest, RequestWatch } from '../http/request-watch.ts';
import { LabelNames } from './label-cache.ts';
import type { MetricRegistry } from './metric-registry.ts';
import { metricTable } from './metric-table.ts';

/** Counts and times requests when their answers are out. */
export function watchRequests(registry: MetricRegistry): RequestWatch {
  const requests = registry.counter(metricTable.httpRequests);
  const duration = registry.histogram(metricTable.httpDuration);
  const received = registry.counter(metricTable.httpReceived);
  const sent = registry.counter(metricTable.httpSent);
  const watchImage = watchImages(registry);
  return {
    onAnswered: (answered) => {
      const surface = surfaceOf(answered.route);
      requests([answered.method, routeLabel(answered.route), statusLabel(answered.status)]);
      duration([surface], answered.durationMs / 1000);
      received([surface], answered.receivedBytes);
      sent([surface], answered.sentBytes);
      if (answered.operation !== null) watchImage(answered, answered.operation);
    },
  };
}

function watchImages(registry: MetricRegistry) {
  const requests = registry.counter(metricTable.imageRequests);
  const duration = registry.histogram(metricTable.imageDuration);
  const upstream = registry.histogram(metricTable.imageUpstream);
  const own = registry.histogram(metricTable.imageOwn);
  const names = new LabelNames();
  return (answered: AnsweredRequest, operation: string) => {
    const { code, durationMs, upstreamMs } = answered;
    const model = names.of(answered.model);
    requests([model, operation, code ?? 'ok']);
    // A repeat has no upstream time, and says nothing of how long a picture takes.
    if (code !== null || upstreamMs === null) return;
    duration([model, operation], durationMs / 1000);
    upstream([model, operation], upstreamMs / 1000);
    own([operation], Math.max(0, durationMs - upstreamMs) / 1000);
  };
}

/** Each built file of the console is a route of its own, and the next version has others. */
function routeLabel(route: string | null): string {
  if (route === null) return 'none';
  return route.startsWith('/assets/') ? '/assets/:file' : route;
}

const statuses = new Map<number, string>();

/** Kept, so that a number is not made into a text for each request. */
function statusLabel(status: number | null): string {
  const known = statuses.get(status ?? 0);
  if (known !== undefined) return known;
  const label = String(status ?? 0);
  statuses.set(status ?? 0, label);
  return label;
}

function surfaceOf(route: string | null): string {
  if (route?.startsWith('/v1/')) return 'v1';
  return route?.startsWith('/api/console/') ? 'console' : 'other';
}
