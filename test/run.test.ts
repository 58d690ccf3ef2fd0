import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';

const here = fileURLToPath(new URL('.', import.meta.url));

it('fails and still closes with the counts when no test matches', () => {
  expect(runTests('no/such/place')).toEqual({ code: 1, lastLine: '0 passed, 0 failed' });
});

it('counts a test file that ends its process as a failure', () => {
  const file = writeTest('process.kill(process.pid, "SIGKILL");');
  expect(runTests(file)).toMatchObject({ code: 1, lastLine: '0 passed, 1 failed' });
});

it('closes with the counts when all is well', () => {
  const file = writeTest('import { it } from "vitest"; it("holds", () => {});');
  expect(runTests(file)).toEqual({ code: 0, lastLine: '1 passed, 0 failed' });
});

function runTests(filter: string): { code: number | null; lastLine: string | undefined } {
  const { status, stdout } = spawnSync(process.execPath, [join(here, 'run.ts'), filter], {
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
  });
  return { code: status, lastLine: stdout.trimEnd().split('\n').at(-1) };
}

/** The runner only looks for tests within the repository. */
function writeTest(text: string): string {
  const samples = join(here, '.run-samples');
  mkdirSync(samples, { recursive: true });
  const folder = mkdtempSync(join(samples, 'sample-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  writeFileSync(join(folder, 'sample.test.ts'), text);
  return join(folder, 'sample.test.ts');
}
