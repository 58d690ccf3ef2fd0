import type { AskedGateway } from './asks.ts';
import type { Bench } from './bench.ts';
import type { LoadCase } from './cases.ts';
import { runCallers } from './run-load.ts';

interface WarmUp {
  load: LoadCase;
  target: AskedGateway & { port: number };
  durationMs: number;
}

/** The whole load, unmeasured: what is compiled while it runs is slow until then. */
export async function warmUp(bench: Bench, { load, target, durationMs }: WarmUp): Promise<void> {
  const { name, port } = target;
  const asks = bench.asks.of(load, target);
  bench.note(name, `${load.name} ${name}`, await runCallers({ port, asks, durationMs }));
}
