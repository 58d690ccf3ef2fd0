import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { SlowestFirst } from './test/support/run/slowest-first.ts';

refuseOldNode();

/** Tests of the running service, on every engine; their names leave no room for `.db`. */
const usingTheService = ['test/api/**/*.test.ts', 'test/clients/**/*.test.ts'];
/** Tests of the console in a browser. */
const usingABrowser = ['test/e2e/**/*.test.ts'];

export default defineConfig({
  test: {
    pool: 'forks',
    // What a worker has loaded stays loaded: doing it anew for each file was a sixth of the work.
    isolate: false,
    // One more than there are cores, for most files wait now and then for a disk, a timer or a browser.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: SlowestFirst },
    // No test measures time; these only end what hangs, also on a slow and busy machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    teardownTimeout: 30_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'plain',
          include: ['{server,shared,web,test,bench}/**/*.test.ts'],
          exclude: ['**/*.db.test.ts', ...usingTheService, ...usingABrowser, '**/node_modules/**'],
        },
      },
      {
        extends: true,
        test: {
          name: 'db',
          include: ['{server,shared,test,bench}/**/*.db.test.ts', ...usingTheService],
          exclude: ['**/node_modules/**'],
          globalSetup: ['test/support/databases/postgres-server.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: usingABrowser,
          // Browsers take a whole core each: after the rest, so that neither slows the other down.
          sequence: { groupOrder: 1 },
          globalSetup: ['test/e2e/support/built-console.ts'],
        },
      },
    ],
  },
});

/** On older versions the SQLite driver ends the process without a word. */
function refuseOldNode(): void {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 19)) return;
  throw new Error(
    `Node ${process.versions.node} is too old. \`npm test\` uses the one that npm installed; ` +
      'so does `npx vitest`, or any command with node_modules/.bin first on the PATH.',
  );
}
