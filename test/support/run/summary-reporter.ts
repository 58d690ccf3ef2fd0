import { writeFileSync } from 'node:fs';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import type { SkippedGroup, Summary } from './summary.ts';

/** Writes the run's summary to the file that `test/run.ts` names. */
// The runner loads reporters by file and takes the default export.
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const file = process.env['TINTYPE_TEST_SUMMARY'];
    if (file) writeFileSync(file, JSON.stringify(summarize(modules, errors)));
  }
}

function summarize(modules: readonly TestModule[], errors: readonly unknown[]): Summary {
  const tests = modules.flatMap((module) => [...module.children.allTests()]);
  const failedTests = countState(tests, 'failed');
  const brokenFiles = modules.filter((module) => !module.ok() && !hasFailedTest(module)).length;
  return {
    passed: countState(tests, 'passed'),
    // A file that cannot be loaded and an error outside of any test count as a failure each.
    failed: failedTests + brokenFiles + errors.length,
    skipped: groupSkipped(tests),
  };
}

function countState(tests: readonly TestCase[], state: 'passed' | 'failed'): number {
  return tests.filter((test) => test.result().state === state).length;
}

function hasFailedTest(module: TestModule): boolean {
  return [...module.children.allTests()].some((test) => test.result().state === 'failed');
}

function groupSkipped(tests: readonly TestCase[]): SkippedGroup[] {
  const counts = new Map<string, number>();
  for (const test of tests) {
    const result = test.result();
    if (result.state !== 'skipped' && result.state !== 'pending') continue;
    const note = result.state === 'skipped' ? result.note : undefined;
    const reason = test.meta().skippedBecause ?? note ?? `no reason given: ${test.fullName}`;
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return [...counts].map(([reason, count]) => ({ reason, count }));
}
