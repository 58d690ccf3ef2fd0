/** Where and when it was measured: one line for people. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus, release, totalmem } from 'node:os';
import type { MachineState } from '../machine.ts';
import { cores } from './children.ts';
import { findNginx } from './nginx.ts';
import { percent } from './report.ts';

const gigabyte = 1_000_000_000;

/** @param noiseMax what other programs used of the machine at the most, in a sample that counts */
export function describeMachine(state: MachineState, noiseMax: number): string {
  const all = cpus();
  return [
    `${new Date().toISOString().slice(0, 10)}, ${all.length} cores (${all[0]?.model.trim() ?? 'unknown'})`,
    cores === null
      ? 'gateways not pinned'
      : `gateways on core ${cores.gateway}, the rest on ${cores.load}`,
    `${(totalmem() / gigabyte).toFixed(0)} GB of memory`,
    `Linux ${release()}`,
    `Node ${process.versions.node}`,
    nginxVersion(),
    `Portkey ${versionOf('@portkey-ai/gateway')}`,
    `${Math.round(state.syncsPerSecond)} fdatasync/s`,
    `other programs: ${state.busyCores.toFixed(2)} cores before it began, at most ${percent(noiseMax)} of the machine in a sample that counts`,
  ].join('; ');
}

function nginxVersion(): string {
  const nginx = findNginx();
  if (nginx === null) return 'no nginx';
  // It says so on standard error.
  const said = execFileSync('sh', ['-c', '"$0" -v 2>&1', nginx], { encoding: 'utf8' });
  return said.trim().replace('nginx version: nginx/', 'nginx ');
}

function versionOf(name: string): string {
  const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
  // Every package has a version.
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}
