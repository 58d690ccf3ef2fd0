/** What else the machine does, and what its disk can do: measured right before each cell. */
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface MachineState {
  /** Cores kept busy while the measurement itself stood still. */
  busyCores: number;
  /** Of one minute; the measurement's own work is in it. */
  loadAverage: number;
  /** Small writes made durable one after the other. */
  syncsPerSecond: number;
}

const busyCoresMax = 0.5;
const sampleMs = 250;
const syncMs = 150;
const blockBytes = 4_096;
const blocks = 256;

/** Waits for other programs, `limitMs` at most. */
export async function waitUntilQuiet(limitMs: number): Promise<MachineState> {
  let busyCores = await sampleBusyCores();
  for (let waitedMs = 0; busyCores > busyCoresMax && waitedMs < limitMs; waitedMs += sampleMs) {
    busyCores = await sampleBusyCores();
  }
  return { busyCores, loadAverage: loadavg()[0] ?? 0, syncsPerSecond: measureSyncs() };
}

async function sampleBusyCores(): Promise<number> {
  const before = readTimes();
  await sleep(sampleMs);
  const after = readTimes();
  const total = after.total - before.total;
  return total === 0 ? 0 : (1 - (after.idle - before.idle) / total) * cpus().length;
}

function readTimes(): { idle: number; total: number } {
  const times = cpus().map((cpu) => cpu.times);
  return {
    idle: times.reduce((sum, { idle }) => sum + idle, 0),
    total: times.reduce(
      (sum, { idle, irq, nice, sys, user }) => sum + idle + irq + nice + sys + user,
      0,
    ),
  };
}

function measureSyncs(): number {
  const folder = mkdtempSync(join(tmpdir(), 'tintype-sync-'));
  const file = openSync(join(folder, 'file'), 'w');
  try {
    const block = Buffer.alloc(blockBytes, 1);
    // Room first, so that only data is synchronised.
    for (let i = 0; i < blocks; i++) writeSync(file, block);
    fdatasyncSync(file);
    const startedAt = performance.now();
    let syncs = 0;
    for (; performance.now() - startedAt < syncMs; syncs++) {
      writeSync(file, block, 0, blockBytes, (syncs % blocks) * blockBytes);
      fdatasyncSync(file);
    }
    return (syncs / (performance.now() - startedAt)) * 1_000;
  } finally {
    closeSync(file);
    rmSync(folder, { recursive: true, force: true });
  }
}
