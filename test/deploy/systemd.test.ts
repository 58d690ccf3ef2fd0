/** The unit of `deploy/systemd`, against what the service really does. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { exitCodes } from '../../server/cli/failure.ts';
import { loadConfig } from '../../server/config.ts';

const unit = read('deploy/systemd/tintype.service');

it('gives running requests their time, workers theirs to be killed, and a little more', () => {
  const { shutdownDelayMs, shutdownLimitMs } = loadConfig({}, {}).config;
  const workersMs = shutdownDelayMs + shutdownLimitMs + 10_000;
  expect(Number(valueOf('TimeoutStopSec').replace(/s$/, '')) * 1000).toBeGreaterThan(workersMs);
});

it('starts again what failed, but not what would fail in the same way for ever', () => {
  expect(valueOf('Restart')).toBe('on-failure');
  expect(valueOf('RestartPreventExitStatus')).toBe(String(exitCodes.usage));
});

it('runs what the document runs other commands by', () => {
  const folder = `${valueOf('WorkingDirectory')}/`;
  const program = valueOf('ExecStart')
    .replace(folder, '')
    .replace(/ serve$/, '');
  const [, command] =
    /runuser -u tintype -- env .*\n(.*) verify /.exec(read('docs/deployment.md')) ?? [];
  expect(command?.trim()).toBe(program);
});

function read(path: string): string {
  return readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
}

function valueOf(name: string): string {
  const [, value] = new RegExp(`^${name}=(.*)$`, 'm').exec(unit) ?? [];
  return value ?? 'absent';
}
