/** A workflow that has ended, as the server's history tells it. */
import { z } from 'zod';
import { UpstreamError } from '../upstream.ts';
import { executionError } from './faults.ts';
import { type SavedFile, savedFilesOf } from './saved-file.ts';

export interface HistoryEntry {
  /** By node. */
  saved: ReadonlyMap<string, readonly SavedFile[]>;
  /** Null when it succeeded. */
  error: UpstreamError | null;
}

const entrySchema = z.object({
  outputs: z.record(z.string(), z.unknown()).catch({}),
  status: z
    .object({
      completed: z.boolean().catch(true),
      /** `["execution_error", {…}]` for each thing that happened. */
      messages: z.array(z.tuple([z.string(), z.unknown()])).catch([]),
    })
    .nullish()
    .catch(null),
});

const failure = z.object({
  exception_type: z.string().nullish().catch(null),
  exception_message: z.string().nullish().catch(null),
});

export function readHistory(said: unknown, promptId: string): HistoryEntry | null {
  const history = z.record(z.string(), z.unknown()).safeParse(said);
  if (!history.success) throw new UpstreamError('protocol', 'the answer is no history');
  if (!Object.hasOwn(history.data, promptId)) return null;
  const entry = entrySchema.safeParse(history.data[promptId]);
  if (!entry.success) throw new UpstreamError('protocol', 'the history is not readable');
  const { outputs, status } = entry.data;
  const saved = Object.entries(outputs).map(
    ([node, output]) => [node, savedFilesOf(output)] as const,
  );
  return { saved: new Map(saved), error: errorIn(status ?? null, promptId) };
}

function errorIn(
  status: NonNullable<z.infer<typeof entrySchema>['status']> | null,
  promptId: string,
): UpstreamError | null {
  if (status === null || status.completed) return null;
  const [, said] = status.messages.find(([event]) => event === 'execution_error') ?? [];
  const parsed = failure.safeParse(said);
  if (!parsed.success) {
    const upstreamRequestId = promptId;
    return new UpstreamError('unavailable', 'the workflow was interrupted', { upstreamRequestId });
  }
  const { exception_type: type = null, exception_message: message = null } = parsed.data;
  return executionError({ type, message }, promptId);
}
