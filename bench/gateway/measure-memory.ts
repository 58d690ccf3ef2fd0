/** More callers at once than the memory budget has room for: each is answered, or told to come back. */
import type { Bench, Say } from './bench.ts';
import { loadCaseOf, type MemoryCase } from './cases.ts';
import { resetPeaks, residentBytes } from './process-tree.ts';
import type { MemoryResult } from './results.ts';
import { runCallers } from './run-load.ts';

const budgetBytes = 128 * 1_024 ** 2;
const tooMany = 429;

export async function measureMemory(
  bench: Bench,
  memory: MemoryCase,
  { say, sampleMs }: { say: Say; sampleMs: number },
): Promise<readonly MemoryResult[]> {
  const results: MemoryResult[] = [];
  for (const name of bench.gateways.filter((name) => name === 'sqlite')) {
    const gateway = await bench.start(name, { TINTYPE_MEMORY_BUDGET: `${budgetBytes}B` });
    try {
      const load = { ...loadCaseOf(memory.load), callers: memory.callers };
      const asks = bench.asks.of(load, gateway);
      resetPeaks(gateway.pid);
      const { answers } = await runCallers({ port: gateway.port, asks, durationMs: sampleMs });
      bench.note(name, `${memory.name} ${name}`, { answers, mayRefuse: true });
      const result: MemoryResult = {
        kind: 'memory',
        case: memory.name,
        gateway: name,
        budgetBytes,
        callers: memory.callers,
        good: answers.filter(({ problem }) => problem === null).length,
        refused: answers.filter(({ status }) => status === tooMany).length,
        peakBytes: residentBytes(gateway.pid, 'VmHWM'),
      };
      say(
        `  ${memory.name} ${name}: ${result.good} good, ${result.refused} refused, ${Math.round(result.peakBytes / 1_000_000)} MB`,
      );
      results.push(result);
    } finally {
      await gateway.stop();
    }
  }
  return results;
}
