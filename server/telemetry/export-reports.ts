import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-node';
import type { Logger } from '../lib/logger.ts';
import { OperatorError } from '../lib/operator-error.ts';

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
    if (error) this.#log.warn({ err: failureOf(error) }, 'traces cannot be sent: they are lost');
    else this.#log.info({}, 'traces are sent again');
  }
}

/** What the exporter says of an answer that is a retry's business, 429 or 502 to 504, and of none in time. */
const exporterTexts: ReadonlyMap<string, string> = new Map([
  [
    'Export failed with retryable status',
    'the collector takes nothing now: its status is 429, 502, 503 or 504',
  ],
  ['Request timed out', 'the collector did not answer in time'],
]);

/**
 * The same in words of ours where the exporter's would not be logged: its message may be the collector's, and its code is
 * a status. Of what has a machine's code, such as a refused connection, that is enough.
 */
function failureOf(error: Error): Error {
  const status = 'code' in error ? error.code : undefined;
  if (typeof status === 'number') {
    return new OperatorError(`the collector answered with status ${status}`);
  }
  const told = exporterTexts.get(error.message);
  return told === undefined ? error : new OperatorError(told);
}
