/** The bench itself, small: one case on the proxy that needs nothing but Node. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { findNginx } from '../../bench/gateway/nginx.ts';

const run = promisify(execFile);
const program = fileURLToPath(new URL('../../bench/gateway/main.ts', import.meta.url));

it('measures a case and checks every answer of it', async (context) => {
  if (process.platform !== 'linux') context.skip('the bench reads /proc');
  if (findNginx() === null) context.skip('nginx is not on this machine');
  const args = ['--quick', '--cases', 's50k', '--gateways', 'naive', '--milliseconds', '50'];
  const { stdout } = await run(process.execPath, [program, ...args, '--json']);
  const { results } = JSON.parse(stdout) as { results: { requestsPerSecond: number }[] };
  expect(results).toMatchObject([{ kind: 'load', case: 's50k', gateway: 'naive' }]);
  expect(results[0]?.requestsPerSecond).toBeGreaterThan(0);
});
