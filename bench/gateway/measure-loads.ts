/** The cases with several callers, in interleaved rounds. */
import type { Bench, Say } from './bench.ts';
import type { GatewayName, LoadCase } from './cases.ts';
import type { RunningGateway } from './gateways.ts';
import type { LoadResult } from './results.ts';
import { median, quantile, runCallers } from './run-load.ts';
import { type Sample, takeSample } from './take-sample.ts';
import { warmUp } from './warm-up.ts';

export interface Pace {
  rounds: number;
  sampleMs: number;
  /** Under full load, before anything is measured: what compiles as it runs is slow at first. */
  warmUpMs: number;
  triesMax: number;
  say: Say;
}

const gigabyte = 1_000_000_000;

export async function measureLoad(
  bench: Bench,
  load: LoadCase,
  { rounds, sampleMs, warmUpMs, triesMax, say }: Pace,
): Promise<readonly LoadResult[]> {
  const names = bench.gateways.filter((name) => load.gateways.includes(name));
  const running: RunningGateway[] = [];
  const samples = new Map<GatewayName, Sample[]>(names.map((name) => [name, []]));
  try {
    for (const name of names) running.push(await bench.start(name));
    for (const target of running) await warmUp(bench, { load, target, durationMs: warmUpMs });

    for (let round = 1; round <= rounds; round++) {
      for (const gateway of running) {
        const asking = { load, gateway, durationMs: sampleMs };
        const sample = await sampleOf(bench, asking, triesMax);
        samples.get(gateway.name)?.push(sample);
        say(`  ${load.name} ${round}/${rounds} ${gateway.name}: ${formatSample(sample)}`);
      }
    }
  } finally {
    for (const gateway of running) await gateway.stop();
  }
  return names.map((name) => resultOf(load, name, samples.get(name) ?? []));
}

interface Asking {
  load: LoadCase;
  gateway: RunningGateway;
  durationMs: number;
}

function runAll(bench: Bench, { load, gateway, durationMs }: Asking) {
  return runCallers({ port: gateway.port, asks: bench.asks.of(load, gateway), durationMs });
}

function sampleOf(bench: Bench, asking: Asking, triesMax: number): Promise<Sample> {
  const { load, gateway } = asking;
  return takeSample({
    pid: gateway.pid,
    triesMax,
    run: () => runAll(bench, asking),
    onRun: (run) => bench.note(gateway.name, `${load.name} ${gateway.name}`, run),
  });
}

function resultOf(load: LoadCase, gateway: GatewayName, samples: readonly Sample[]): LoadResult {
  const of = (measure: (sample: Sample) => number) => median(samples.map(measure));
  const count = ({ run }: Sample) => run.answers.length;
  return {
    kind: 'load',
    case: load.name,
    gateway,
    requestsPerSecond: of((sample) => count(sample) / sample.seconds),
    cpuMsPerRequest: of((sample) => (sample.cpuSeconds * 1_000) / count(sample)),
    cpuSecondsPerGigabyte: of((sample) => sample.cpuSeconds / relayedGigabytes(load, sample)),
    requestsPerCpuSecond: of((sample) => count(sample) / sample.cpuSeconds),
    p50Ms: of((sample) => quantile(latencies(sample), 0.5)),
    p99Ms: of((sample) => quantile(latencies(sample), 0.99)),
    peakBytes: of(({ peakBytes }) => peakBytes),
    busyShare: of(({ cpuSeconds, seconds }) => cpuSeconds / seconds),
    foreign: Math.max(...samples.map(({ foreign }) => foreign)),
    tries: samples.reduce((sum, { tries }) => sum + tries, 0),
  };
}

function relayedGigabytes({ files }: LoadCase, { run }: Sample): number {
  if (files !== null) return (run.answers.length * files.count * files.bytes) / gigabyte;
  return run.answers.reduce((sum, { bytes }) => sum + bytes, 0) / gigabyte;
}

function latencies({ run }: Sample): readonly number[] {
  return run.answers.map(({ ms }) => ms);
}

function formatSample({ run, seconds, cpuSeconds, foreign, peakBytes, tries }: Sample): string {
  const count = run.answers.length;
  return [
    `${(count / seconds).toFixed(1)} req/s`,
    `${((cpuSeconds * 1_000) / count).toFixed(3)} CPU ms/req`,
    `${Math.round(peakBytes / 1_000_000)} MB`,
    `foreign ${(foreign * 100).toFixed(1)} %${tries > 1 ? ` after ${tries} tries` : ''}`,
  ].join(', ');
}
