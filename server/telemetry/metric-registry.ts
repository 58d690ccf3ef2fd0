import type * as Prom from 'prom-client';
import type { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { LabelCache } from './label-cache.ts';
import type { MetricRow } from './metric-table.ts';

export type PromClient = typeof Prom;

/** The metrics of one process as numbers, to be summed with those of others: see `sumMetrics`. */
export type MetricsJson = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** The metrics as Prometheus reads them. */
export interface MetricsText {
  contentType: string;
  text: string;
}

/** Counts up for one combination of labels, given in the order of the table. */
export type Count = (labels: readonly [string?, string?, string?], by?: number) => void;
/** Notes a value for one combination of labels. */
export type Observe = (labels: readonly [string?, string?], value: number) => void;

/** A value that is there when somebody asks for it. */
export interface Sample {
  labels?: Readonly<Record<string, string>>;
  value: number;
}

/**
 * Makes the metrics of the table and keeps their values. The library is handed in, because it is
 * loaded only where metrics are asked for.
 */
export class MetricRegistry {
  readonly #prom: PromClient;
  readonly #registry: Registry;
  readonly #worker: number | null;

  /** @param worker its number, where several processes are one service */
  constructor(prom: PromClient, worker: number | null = null) {
    this.#prom = prom;
    this.#worker = worker;
    this.#registry = new prom.Registry();
    prom.collectDefaultMetrics({ register: this.#registry });
  }

  counter(row: MetricRow): Count {
    const counts: { labels: Readonly<Record<string, string>>; value: number }[] = [];
    const children = new LabelCache((values) => {
      const labels: Record<string, string> = {};
      for (const [index, label] of row.labels.entries()) labels[label] = values[index] ?? '';
      const count = { labels, value: 0 };
      counts.push(count);
      return count;
    });
    // The library would look at the labels each time.
    this.countedElsewhere(row, () => counts);
    return ([a, b, c], by = 1) => {
      children.of(a, b, c).value += by;
    };
  }

  histogram(row: MetricRow): Observe {
    const metric: Histogram = new this.#prom.Histogram({
      ...this.#options(row),
      buckets: [...(row.buckets ?? [])],
    });
    const children = new LabelCache((labels) =>
      metric.labels(...labels.slice(0, row.labels.length)),
    );
    return ([a, b], value) => children.of(a, b).observe(value);
  }

  /** @param read what there is now; asked whenever somebody asks for the metrics */
  gauge(row: MetricRow, read: () => Promise<readonly Sample[]> | readonly Sample[]): void {
    const gauge: Gauge = new this.#prom.Gauge({
      ...this.#options(row),
      aggregator: row.aggregator,
      collect: async () => {
        const samples = await read();
        gauge.reset();
        // Otherwise one that could not be read would show as 0.
        if (row.labels.length === 0) gauge.remove();
        // Several upstreams may be called `other`.
        for (const { labels = {}, value } of samples) gauge.inc(labels, value);
      },
    });
  }

  /** A counter whose value is kept elsewhere, where it is exact. */
  countedElsewhere(row: MetricRow, read: () => readonly Sample[]): void {
    const counter: Counter = new this.#prom.Counter({
      ...this.#options(row),
      collect: () => {
        counter.reset();
        for (const { labels = {}, value } of read()) counter.inc(labels, value);
      },
    });
  }

  /**
   * What only grows is told apart by worker: a sum would fall when one of them dies, and whoever reads it would take
   * all that the others have counted for new.
   */
  async json(): Promise<MetricsJson> {
    const metrics = await this.#registry.getMetricsAsJSON();
    const worker = this.#worker;
    if (worker === null) return metrics;
    return metrics.map((metric) => (isGauge(metric) ? metric : ofWorker(metric, worker)));
  }

  async text(): Promise<MetricsText> {
    return textOf(this.#registry);
  }

  #options({ name, help, labels }: MetricRow) {
    return { name, help, labelNames: [...labels], registers: [this.#registry] };
  }
}

/** What several processes have counted, as one. */
export async function sumMetrics(
  prom: PromClient,
  processes: readonly MetricsJson[],
): Promise<MetricsText> {
  return textOf(prom.AggregatorRegistry.aggregate([...processes]));
}

function isGauge({ type }: MetricsJson[number]): boolean {
  // A text, whatever the library's types say.
  return String(type) === 'gauge';
}

function ofWorker(metric: MetricsJson[number], worker: number): MetricsJson[number] {
  const values = metric.values.map((value) => ({ ...value, labels: { ...value.labels, worker } }));
  return { ...metric, values };
}

async function textOf(registry: Pick<Registry, 'contentType' | 'metrics'>): Promise<MetricsText> {
  return { contentType: registry.contentType, text: await registry.metrics() };
}
