/** Callers that ask again as soon as they are answered, and requests at a fixed rate. */
import { setTimeout as sleep } from 'node:timers/promises';
import { must } from '../../server/lib/assert.ts';
import { type Answered, type Ask, Connection } from './connection.ts';

export interface LoadRun {
  answers: readonly Answered[];
  elapsedMs: number;
}

export interface Load {
  port: number;
  /** One for each caller. */
  asks: readonly Ask[];
  durationMs: number;
}

/** Every caller asks once or more; what was begun in time is waited for. */
export async function runCallers({ port, asks, durationMs }: Load): Promise<LoadRun> {
  const answers: Answered[] = [];
  const startedAt = performance.now();
  const callers = asks.map(async (ask) => {
    const connection = new Connection(port);
    do answers.push(await connection.ask(ask));
    while (performance.now() - startedAt < durationMs);
    connection.close();
  });
  await Promise.all(callers);
  return { answers, elapsedMs: performance.now() - startedAt };
}

/** Each request at its time, however long the ones before take. */
export async function runAtRate(load: Load, perSecond: number): Promise<LoadRun> {
  const { port, asks, durationMs } = load;
  const idle: Connection[] = [];
  const underWay: Promise<Answered>[] = [];
  const startedAt = performance.now();
  const count = Math.max(1, Math.round((durationMs / 1_000) * perSecond));
  for (let index = 0; index < count; index++) {
    const dueMs = startedAt + (index * 1_000) / perSecond;
    const waitMs = dueMs - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    const connection = idle.pop() ?? new Connection(port);
    const asked = connection.ask(must(asks[index % asks.length], 'a request'));
    underWay.push(
      asked.then((answered) => {
        idle.push(connection);
        return answered;
      }),
    );
  }
  const answers = await Promise.all(underWay);
  for (const connection of idle) connection.close();
  return { answers, elapsedMs: performance.now() - startedAt };
}

/** @param part from 0 to 1 */
export function quantile(numbers: readonly number[], part: number): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

export function median(numbers: readonly number[]): number {
  return quantile(numbers, 0.5);
}
