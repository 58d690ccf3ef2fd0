/** What a test run came to, as the runner hands it to `test/run.ts`. */
export interface Summary {
  passed: number;
  failed: number;
  skipped: readonly SkippedGroup[];
}

/** Tests that were skipped for the same reason. */
export interface SkippedGroup {
  reason: string;
  count: number;
}

/** The closing lines of a test run. The last one is fixed: other programs read it. */
export function formatSummary({ passed, failed, skipped }: Summary): string {
  const skippedCount = skipped.reduce((sum, group) => sum + group.count, 0);
  const totals = `${passed} passed, ${failed} failed`;
  if (skippedCount === 0) return totals;
  return [
    'Skipped:',
    ...skipped.map(({ reason, count }) => `  ${count} × ${reason}`),
    `${totals}, ${skippedCount} skipped`,
  ].join('\n');
}

/** A run is good when something ran and nothing failed. */
export function isGood({ passed, failed }: Summary): boolean {
  return passed > 0 && failed === 0;
}
