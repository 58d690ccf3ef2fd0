import type { WorkerFailure } from './topics.ts';

/** The workers cannot be kept running. */
export class WorkersFailed extends Error implements WorkerFailure {
  readonly exitCode: number;
  readonly messages: readonly string[];

  constructor({ exitCode, messages }: WorkerFailure) {
    super(messages.join('; '));
    this.exitCode = exitCode;
    this.messages = messages;
  }
}
