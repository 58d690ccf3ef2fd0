/** How long an answer takes while there is hardly anything to do. */
import type { Bench } from './bench.ts';
import { type GatewayName, type LatencyCase, loadCaseOf } from './cases.ts';
import type { Pace } from './measure-loads.ts';
import type { LatencyResult } from './results.ts';
import { quantile, runAtRate } from './run-load.ts';
import { type Sample, takeSample } from './take-sample.ts';
import { warmUp } from './warm-up.ts';

/** Its requests of all rounds count together, so two are enough. */
const roundsMax = 2;

/** A gateway, or the upstream itself. */
interface Target {
  name: GatewayName | 'direct';
  pid: number;
  port: number;
  keys: readonly string[];
  stop(): Promise<void>;
}

export async function measureLatency(
  bench: Bench,
  latency: LatencyCase,
  { rounds, sampleMs, warmUpMs, triesMax, say }: Pace,
): Promise<readonly LatencyResult[]> {
  const direct = { pid: process.pid, port: bench.upstreamPort, keys: [], stop: async () => {} };
  const targets: Target[] = [{ name: 'direct', ...direct }];
  const samples = new Map<Target, Sample[]>();
  try {
    for (const name of bench.gateways) targets.push(await bench.start(name));
    const load = loadCaseOf(latency.load);
    for (const target of targets) await warmUp(bench, { load, target, durationMs: warmUpMs });
    for (let round = 1; round <= Math.min(rounds, roundsMax); round++) {
      for (const target of targets) {
        const durationMs = sampleMs * latency.samples;
        const asking = { latency, target, sampleMs: durationMs, triesMax };
        const sample = await sampleOf(bench, asking);
        samples.set(target, [...(samples.get(target) ?? []), sample]);
        say(`  ${latency.name} ${round} ${target.name}: ${formatSample(sample)}`);
      }
    }
  } finally {
    for (const target of targets) await target.stop();
  }
  return targets.map((target) => resultOf(latency, target, samples.get(target) ?? []));
}

interface Asking {
  latency: LatencyCase;
  target: Target;
  sampleMs: number;
  triesMax: number;
}

function sampleOf(bench: Bench, { latency, target, sampleMs, triesMax }: Asking): Promise<Sample> {
  const { name, pid, port } = target;
  const asks = bench.asks.of(loadCaseOf(latency.load), target);
  return takeSample({
    pid,
    triesMax,
    run: () => runAtRate({ port, asks, durationMs: sampleMs }, latency.perSecond),
    onRun: (run) => bench.note(name, `${latency.name} ${name}`, run),
  });
}

function resultOf(
  latency: LatencyCase,
  { name }: Target,
  samples: readonly Sample[],
): LatencyResult {
  const all = samples.flatMap(latencies);
  return {
    kind: 'latency',
    case: latency.name,
    gateway: name,
    requests: all.length,
    p50Ms: quantile(all, 0.5),
    p99Ms: quantile(all, 0.99),
    foreign: Math.max(...samples.map(({ foreign }) => foreign)),
    tries: samples.reduce((sum, { tries }) => sum + tries, 0),
  };
}

function latencies({ run }: Sample): readonly number[] {
  return run.answers.map(({ ms }) => ms);
}

function formatSample(sample: Sample): string {
  const ms = latencies(sample);
  const [p50, p99] = [quantile(ms, 0.5), quantile(ms, 0.99)];
  return `p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms, foreign ${(sample.foreign * 100).toFixed(1)} %`;
}
