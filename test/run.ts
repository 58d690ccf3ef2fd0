/**
 * `npm test`: runs the tests in a process of its own, and closes with what was skipped and the
 * plain line `N passed, N failed`, also when the runner itself dies. Arguments go to the runner:
 * `npm test -- test/api`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatSummary, isGood, type Summary } from './support/run/summary.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

process.exitCode = await runTests(process.argv.slice(2));

async function runTests(args: readonly string[]): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'tintype-test-run-'));
  const summaryFile = join(folder, 'summary.json');
  try {
    const runnerCode = await runVitest(args, summaryFile);
    const summary = readSummary(summaryFile, runnerCode);
    process.stdout.write(`${formatSummary(summary)}\n`);
    if (!isGood(summary)) return 1;
    return runnerCode;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runVitest(args: readonly string[], summaryFile: string): Promise<number> {
  const vitest = fileURLToPath(new URL('vitest.mjs', import.meta.resolve('vitest/package.json')));
  const reporter = join(root, 'test', 'support', 'run', 'summary-reporter.ts');
  // A terminal sends its interrupt to the runner as well, which then ends in good order.
  process.on('SIGINT', () => {});
  const child = spawn(
    process.execPath,
    [vitest, 'run', '--reporter=default', `--reporter=${reporter}`, ...args],
    { cwd: root, stdio: 'inherit', env: { ...process.env, TINTYPE_TEST_SUMMARY: summaryFile } },
  );
  await once(child, 'exit');
  return child.exitCode ?? 1;
}

function readSummary(file: string, runnerCode: number): Summary {
  if (!existsSync(file)) {
    process.stdout.write(`\nThe test runner ended with code ${runnerCode} and without a report.\n`);
    return { passed: 0, failed: 1, skipped: [] };
  }
  // Written by `summary-reporter.ts` in the same run.
  return JSON.parse(readFileSync(file, 'utf8')) as Summary;
}
