import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-node';
import type { Logger } from '../lib/logger.ts';

type ExportDone = Parameters<SpanExporter['export']>[1];

/** Says in the log when traces cannot be sent any more, and when they can again: once each time. */
export class ExportReports implements SpanExporter {
  readonly #exporter: SpanExporter;
  readonly #log: Logger;
  #isFailing = false;

  constructor(exporter: SpanExporter, log: Logger) {
    this.#exporter = exporter;
    this.#log = log;
  }

  export(spans: ReadableSpan[], done: ExportDone): void {
    this.#exporter.export(spans, (result) => {
      this.#report(result.error ?? (result.code === 0 ? null : new Error('not exported')));
      done(result);
    });
  }

  forceFlush(): Promise<void> {
    return this.#exporter.forceFlush?.() ?? Promise.resolve();
  }

  shutdown(): Promise<void> {
    return this.#exporter.shutdown();
  }

  #report(error: Error | null): void {
    const isFailing = error !== null;
    if (isFailing === this.#isFailing) return;
    this.#isFailing = isFailing;
    if (error) this.#log.warn({ err: error }, 'traces cannot be sent: they are lost');
    else this.#log.info({}, 'traces are sent again');
  }
}
