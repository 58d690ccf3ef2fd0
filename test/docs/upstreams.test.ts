/** `docs/upstreams.md` says what the code does: its tables are made from it, its commands are run. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { commandsBelow } from '../../server/cli/examples.ts';
import { buildProgram } from '../../server/cli/main.ts';
import { skips } from '../../server/upstreams/lane.ts';
import { adapterKinds } from '../../server/upstreams/registry.ts';
import { faults, upstreamWarnings } from '../../server/upstreams/upstream.ts';
import { cellsOf, withTables } from './document-tables.ts';
import { openExampleInstallation } from './example-installation.ts';
import { shellExamples } from './shell-examples.ts';
import { upstreamTables } from './upstream-tables.ts';

const file = fileURLToPath(new URL('../../docs/upstreams.md', import.meta.url));
const document = readFileSync(file, 'utf8');

it('has tables of what each kind can do and be told', async () => {
  const current = withTables(document, await upstreamTables([...adapterKinds.values()]));
  const mend = 'docs/upstreams.md is out of date; write it anew: npm test -- test/docs --update';
  await expect(current, mend).toMatchFileSnapshot(file);
});

it.each([
  ['fault', 'faults', faults],
  ['reason to pass an upstream over', 'skips', skips],
  ['warning', 'warnings', upstreamWarnings],
])('explains every %s', (_what, table, names) => {
  expect(cellsOf(document, table).map(([name]) => name)).toEqual(
    names.map((name) => `\`${name}\``),
  );
  for (const cells of cellsOf(document, table)) expect(cells).not.toContain('');
});

it('shows every command for upstreams', () => {
  const nowhere = { out() {}, err() {}, input: async () => '', environment: {} };
  const missing = commandsBelow(buildProgram(nowhere))
    .map(({ path }) => `tintype ${path}`)
    .filter((command) => command.startsWith('tintype upstreams ') && !document.includes(command));
  expect(missing).toEqual([]);
});

it('shows commands that work, from its beginning to its end', async () => {
  const installation = await openExampleInstallation();
  const failed: string[] = [];
  for (const example of shellExamples(document, 'tintype')) {
    const { exitCode, err } = await installation.run(example);
    if (exitCode !== 0) failed.push(`${example.line}: ${err}`);
  }
  expect(failed).toEqual([]);
});
