/** `docs/limits.md` says every limit as the code has it, and each is tried on both sides. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { optionNames, optionsTable } from '../../server/config.ts';
import { withTables } from './document-tables.ts';
import { requestLimits } from './limit-rows.ts';
import { runningLimits } from './limit-rows-running.ts';
import { limitTables } from './limit-table.ts';

const file = fileURLToPath(new URL('../../docs/limits.md', import.meta.url));
const document = readFileSync(file, 'utf8');
const groups = [...requestLimits, ...runningLimits];
const rows = groups.flatMap((group) => group.rows);

it('has every limit with its number', async () => {
  const mend = 'docs/limits.md is out of date; write it anew: npm test -- test/docs --update';
  await expect(withTables(document, limitTables(groups)), mend).toMatchFileSnapshot(file);
});

it.each(rows)('has tests on both sides: $limit', ({ within, beyond }) => {
  for (const [path, name] of [within, beyond]) {
    const source = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
    expect(source, path).toContain(name);
  }
});

it('knows every option that is a limit', () => {
  const limits = optionNames
    .map((name) => optionsTable[name].variable)
    .filter((variable) => /_(?:MAX|TIMEOUT|DEADLINE|IDLE|BUDGET|FLIGHT)$/.test(variable));
  // Of the service itself: nobody outside runs into it.
  const inward = ['TINTYPE_DATABASE_CONNECT_TIMEOUT'];
  const told = rows.map(({ by }) => by).join();
  const mend =
    'each has a row in test/docs/limit-rows.ts or a sibling of it, with tests of both sides';
  expect(
    limits.filter((name) => !told.includes(name)),
    mend,
  ).toEqual(inward);
});
