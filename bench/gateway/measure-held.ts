/** Requests that all wait at once for an upstream that takes its time, and what each costs in memory. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { must } from '../../server/lib/assert.ts';
import { heldAnswer } from './asks.ts';
import type { Bench, Say } from './bench.ts';
import type { GatewayName, HeldCase } from './cases.ts';
import { type Answered, Connection } from './connection.ts';
import type { RunningGateway } from './gateways.ts';
import { residentBytes } from './process-tree.ts';
import type { HeldResult, SkippedResult } from './results.ts';
import { runCallers } from './run-load.ts';

const warmUpCallers = 64;
const warmUpMs = 1_500;
const restMs = 1_000;
/** Connections are opened so many at a time, as fast as a listener's queue takes them. */
const batch = 100;
const batchPauseMs = 10;
const pollMs = 100;
/** What a process has open besides the two connections of each request. */
const filesBeside = 300;

export async function measureHeld(
  bench: Bench,
  held: HeldCase,
  say: Say,
): Promise<readonly (HeldResult | SkippedResult)[]> {
  const needed = 2 * held.requests + filesBeside;
  const filesMax = readFilesMax();
  if (filesMax < needed) {
    const reason = `it takes ${needed} open files and ${filesMax} are allowed (ulimit -Hn)`;
    return [{ kind: 'skipped', case: held.name, reason }];
  }
  const results: HeldResult[] = [];
  for (const name of bench.gateways.filter((name) => held.gateways.includes(name))) {
    const result = await measureOn(bench, held, name);
    say(
      `  ${held.name} ${name}: ${result.heldMax} at once, ${result.good} good, ${Math.round(result.bytesPerRequest / 1_000)} KB each`,
    );
    results.push(result);
  }
  return results;
}

async function measureOn(bench: Bench, held: HeldCase, name: GatewayName): Promise<HeldResult> {
  const gateway = await bench.start(name);
  try {
    const note = (answers: readonly Answered[]) =>
      bench.note(name, `${held.name} ${name}`, { answers });
    note(await warmUp(gateway));
    await sleep(restMs);
    const before = residentBytes(gateway.pid, 'VmRSS');
    const run = await hold(gateway, held.requests, bench.heldPort);
    note(run.answers);
    return {
      kind: 'held',
      case: held.name,
      gateway: name,
      requests: held.requests,
      heldMax: run.heldMax,
      good: run.answers.filter(({ problem }) => problem === null).length,
      bytesPerRequest: (run.residentBytes - before) / held.requests,
    };
  } finally {
    await gateway.stop();
  }
}

async function warmUp({ port, keys }: RunningGateway): Promise<readonly Answered[]> {
  const asks = Array.from({ length: warmUpCallers }, (_none, index) =>
    heldAnswer(keyOf(keys, index), 'at once'),
  );
  const { answers } = await runCallers({ port, asks, durationMs: warmUpMs });
  return answers;
}

interface HeldRun {
  answers: readonly Answered[];
  heldMax: number;
  /** While the most of them waited. */
  residentBytes: number;
}

async function hold(
  { pid, port, keys }: RunningGateway,
  requests: number,
  heldPort: number,
): Promise<HeldRun> {
  const connections: Connection[] = [];
  const asked: Promise<Answered>[] = [];
  for (let index = 0; index < requests; index++) {
    const connection = new Connection(port);
    connections.push(connection);
    asked.push(connection.ask(heldAnswer(keyOf(keys, index), 'a fox')));
    if (index % batch === batch - 1) await sleep(batchPauseMs);
  }
  const answered = Promise.race(asked).then(() => true);
  let heldMax = 0;
  let resident = 0;
  for (let isOver = false; !isOver && heldMax < requests; ) {
    const now = await countHeld(heldPort);
    if (now >= heldMax) resident = residentBytes(pid, 'VmRSS');
    heldMax = Math.max(heldMax, now);
    isOver = await Promise.race([answered, sleep(pollMs, false)]);
  }
  const answers = await Promise.all(asked);
  for (const connection of connections) connection.close();
  return { answers, heldMax, residentBytes: resident };
}

async function countHeld(port: number): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}/held`);
  return Number(await answer.text());
}

function keyOf(keys: readonly string[], index: number): string {
  return must(keys[index % keys.length], 'an API key');
}

/** Node raises its own limit to what is allowed at most. */
function readFilesMax(): number {
  const limits = readFileSync('/proc/self/limits', 'latin1');
  const allowed = /^Max open files +\d+ +(\d+|unlimited)/m.exec(limits)?.[1];
  return allowed === 'unlimited' ? Number.POSITIVE_INFINITY : Number(allowed ?? 0);
}
