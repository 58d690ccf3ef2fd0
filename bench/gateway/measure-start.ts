import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from './bench.ts';
import type { Pace } from './measure-loads.ts';
import { residentBytes } from './process-tree.ts';
import type { StartResult } from './results.ts';
import { median } from './run-load.ts';

const restMs = 2_000;

/** How soon a gateway listens, on an installation that was started before, and what it takes at rest. */
export async function measureStart(
  bench: Bench,
  { rounds, say }: Pick<Pace, 'rounds' | 'say'>,
): Promise<readonly StartResult[]> {
  const starts = new Map(bench.gateways.map((name) => [name, [] as number[]]));
  const idle = new Map<string, number>();
  for (let round = 1; round <= rounds; round++) {
    for (const name of bench.gateways) {
      const gateway = await bench.start(name);
      starts.get(name)?.push(gateway.startMs);
      if (round === rounds) {
        await sleep(restMs);
        idle.set(name, residentBytes(gateway.pid, 'VmRSS'));
      }
      await gateway.stop();
      say(`  start ${round}/${rounds} ${name}: ${Math.round(gateway.startMs)} ms`);
    }
  }
  return bench.gateways.map((gateway) => ({
    kind: 'start',
    gateway,
    startMs: median(starts.get(gateway) ?? []),
    idleBytes: idle.get(gateway) ?? 0,
  }));
}
