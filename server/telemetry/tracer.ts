/**
 * OpenTelemetry, loaded only where traces are asked for. Spans are made when what they tell of is
 * over, from the times noted on the way: nothing of it is on a request's path but this.
 */
import type { Attributes, HrTime } from '@opentelemetry/api';
import type { Logger } from '../lib/logger.ts';
import { ExportReports } from './export-reports.ts';
import { isKept, type SpanPlace } from './trace-ids.ts';

export interface TracerOptions {
  /** Base URL of the collector; `/v1/traces` is added. */
  endpoint: string;
  /** Each `name=value`, the value URL-encoded as the specification has it. */
  headers: readonly string[];
  serviceName: string;
  version: string;
  /** Of the traces. */
  keptPercent: number;
  log: Logger;
}

/** One step of a request. */
export interface SpanTold {
  name: string;
  kind: 'server' | 'client' | 'internal';
  /** Unix milliseconds. */
  begunAtMs: number;
  endedAtMs: number;
  attributes: Attributes;
  /** What it failed with; null when it did not. */
  failure: string | null;
}

export interface Tracer {
  /** The span of a whole request. */
  addRoot: (place: SpanPlace, told: SpanTold, links: readonly SpanPlace[]) => void;
  /** A step of the request whose own span is, or will be, at the place. */
  addStep: (root: SpanPlace, told: SpanTold) => void;
  /** Sends what waits, for as long as an export may take. */
  stop: () => Promise<void>;
}

const spansWaitingMax = 4_096;
const exportTimeoutMs = 5_000;

export async function openTracer(options: TracerOptions): Promise<Tracer> {
  const [api, sdk, otlp, resources] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace-node'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  const exporter = new otlp.OTLPTraceExporter({
    url: `${options.endpoint.replace(/\/$/, '')}/v1/traces`,
    headers: headersOf(options.headers),
    timeoutMillis: exportTimeoutMs,
  });
  const ids = new GivenIds(new sdk.RandomIdGenerator());
  const traces = new sdk.NodeTracerProvider({
    resource: resources.resourceFromAttributes({
      'service.name': options.serviceName,
      'service.version': options.version,
    }),
    idGenerator: ids,
    sampler: new sdk.AlwaysOnSampler(),
    spanProcessors: [
      new sdk.BatchSpanProcessor(new ExportReports(exporter, options.log), {
        maxQueueSize: spansWaitingMax,
        exportTimeoutMillis: exportTimeoutMs,
      }),
    ],
  });
  const tracer = traces.getTracer('tintype', options.version);
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } = api;
  const kinds = {
    server: SpanKind.SERVER,
    client: SpanKind.CLIENT,
    internal: SpanKind.INTERNAL,
  } as const;
  const contextOf = (place: SpanPlace) => ({ ...place, traceFlags: TraceFlags.SAMPLED });
  const add = (told: SpanTold, parent: SpanPlace | null, links: readonly SpanPlace[]) => {
    const context = parent ? trace.setSpanContext(ROOT_CONTEXT, contextOf(parent)) : ROOT_CONTEXT;
    const span = tracer.startSpan(
      told.name,
      {
        kind: kinds[told.kind],
        startTime: timeOf(told.begunAtMs),
        attributes: told.attributes,
        links: links.map((place) => ({ context: { ...contextOf(place), isRemote: true } })),
      },
      context,
    );
    if (told.failure !== null)
      span.setStatus({ code: SpanStatusCode.ERROR, message: told.failure });
    span.end(timeOf(Math.max(told.begunAtMs, told.endedAtMs)));
  };
  return {
    addRoot: (place, told, links) => {
      if (isKept(place, options.keptPercent)) ids.giving(place, () => add(told, null, links));
    },
    addStep: (root, told) => {
      if (isKept(root, options.keptPercent)) add(told, root, []);
    },
    stop: () => traces.shutdown().catch(() => undefined),
  };
}

function headersOf(entries: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    entries.map((entry) => {
      const [name = ''] = entry.split('=', 1);
      return [name, decoded(entry.slice(name.length + 1))];
    }),
  );
}

/** A value that is not well encoded is taken as it is. */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** Seconds and nanoseconds: the library takes a small number for something else. */
function timeOf(ms: number): HrTime {
  const seconds = Math.floor(ms / 1000);
  return [seconds, Math.round((ms - seconds * 1000) * 1e6)];
}

interface Ids {
  generateTraceId: () => string;
  generateSpanId: () => string;
}

/** Makes IDs as ever, but for a span whose IDs are given. */
class GivenIds implements Ids {
  readonly #random: Ids;
  #given: SpanPlace | null = null;

  constructor(random: Ids) {
    this.#random = random;
  }

  giving(place: SpanPlace, make: () => void): void {
    this.#given = place;
    try {
      make();
    } finally {
      this.#given = null;
    }
  }

  generateTraceId = (): string => this.#given?.traceId ?? this.#random.generateTraceId();
  generateSpanId = (): string => this.#given?.spanId ?? this.#random.generateSpanId();
}
