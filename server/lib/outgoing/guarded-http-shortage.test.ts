import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

/**
 * Node reads the certificates of that variable on a thread of its own, and would give their file
 * back in the middle of the test.
 */
const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;

const program = fileURLToPath(
  new URL('../../../test/support/processes/without-files.ts', import.meta.url),
);

it('says of a machine that may open no more files that it is ours, by name and by address', async () => {
  const urls = ['http://127.0.0.1:9/', 'http://localhost:9/'];
  const limited = `ulimit -n 100; exec "$0" "$@"`;
  const { stdout } = await promisify(execFile)(
    'sh',
    ['-c', limited, process.execPath, program, ...urls],
    { timeout: 60_000, env },
  );
  expect(JSON.parse(stdout)).toEqual([
    { message: 'no connection (EMFILE)', isOurs: true },
    { message: 'no connection (EMFILE)', isOurs: true },
  ]);
});
