import type { Bench } from './bench.ts';
import type { Case } from './cases.ts';
import { measureHeld } from './measure-held.ts';
import { measureLatency } from './measure-latency.ts';
import { measureLedger } from './measure-ledger.ts';
import { measureLoad, type Pace } from './measure-loads.ts';
import { measureMemory } from './measure-memory.ts';
import { measureStart } from './measure-start.ts';
import type { Result } from './results.ts';

export async function measureCase(
  bench: Bench,
  each: Case,
  pace: Pace,
): Promise<readonly Result[]> {
  switch (each.kind) {
    case 'load':
      return await measureLoad(bench, each, pace);
    case 'latency':
      return await measureLatency(bench, each, pace);
    case 'held':
      return await measureHeld(bench, each, pace.say);
    case 'memory':
      return await measureMemory(bench, each, pace);
    case 'start':
      return await measureStart(bench, pace);
    case 'ledger':
      return await measureLedger(bench.gateways, pace.say);
  }
}
