/** The start options of what callers may take up: rows of the table in `config.ts`. */
import { usableMemoryBytes } from '../lib/bytes/machine-memory.ts';
import { byteSize, duration, optional } from '../lib/option-types.ts';
import { defineOption } from '../lib/options.ts';

export const limitOptions = {
  memoryBudgetBytes: defineOption({
    variable: 'TINTYPE_MEMORY_BUDGET',
    type: optional(byteSize({ min: '16MiB', max: '1024GiB' })),
    default: null,
    meaning:
      'Memory for uploads and finished answers together; what finds no room is answered 429. Without it, half of what the process may use, at least 128MiB. Requests are admitted as long as the expected answers fit into three quarters as much.',
  }),
  uploadTimeoutMs: defineOption({
    variable: 'TINTYPE_UPLOAD_TIMEOUT',
    type: duration({ min: '1s', max: '1h' }),
    default: 300_000,
    meaning: 'Time for the whole body of a request to arrive; then it is cut off with a 408.',
  }),
  uploadIdleMs: defineOption({
    variable: 'TINTYPE_UPLOAD_IDLE',
    type: duration({ min: '100ms', max: '10m' }),
    default: 30_000,
    meaning: 'Longest pause within the body of a request; then it is cut off with a 408.',
  }),
  deliveryTimeoutMs: defineOption({
    variable: 'TINTYPE_DELIVERY_TIMEOUT',
    type: duration({ min: '100ms', max: '10m' }),
    default: 60_000,
    meaning: 'How long a caller may take nothing of its answer; then the connection is closed.',
  }),
};

const budgetShareOfMemory = 1 / 2;
const budgetBytesMin = 128 * 1024 ** 2;

/** The budget in bytes, whether it was given or not. */
export function memoryBudgetOf({
  memoryBudgetBytes,
}: {
  memoryBudgetBytes: number | null;
}): number {
  if (memoryBudgetBytes !== null) return memoryBudgetBytes;
  return Math.max(budgetBytesMin, Math.floor(usableMemoryBytes() * budgetShareOfMemory));
}

const underWayPartOfBudget = 3 / 4;

/** For answers on their way from upstreams, out of what the budget leaves: an eighth stays for all else. */
export function answersUnderWayBytesMaxOf(config: { memoryBudgetBytes: number | null }): number {
  return Math.floor(memoryBudgetOf(config) * underWayPartOfBudget);
}

const replayPartOfBudget = 1 / 4;

/** Answers that wait for a repeat count in the budget, and must not be what fills it. */
export function replayBytesMaxOf(config: {
  memoryBudgetBytes: number | null;
  idempotencyReplayBytesMax: number;
}): number {
  const part = Math.floor(memoryBudgetOf(config) * replayPartOfBudget);
  return Math.min(config.idempotencyReplayBytesMax, part);
}
