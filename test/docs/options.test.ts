/** `docs/operating.md` has every start option, with its default and its meaning. */
import { globSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { optionNames, optionsTable } from '../../server/config.ts';
import { type Option, showOption } from '../../server/lib/options.ts';
import { withTables } from './document-tables.ts';
import { code, markdownTable } from './markdown-table.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const file = `${root}docs/operating.md`;
const document = readFileSync(file, 'utf8');

it('has every start option as the code has it', async () => {
  const current = withTables(document, new Map([['options', tableOf()]]));
  const mend = 'docs/operating.md is out of date; write it anew: npm test -- test/docs --update';
  await expect(current, mend).toMatchFileSnapshot(file);
});

it('is named wherever somebody is told of a variable: every command refuses an unknown name in its environment', () => {
  const known = new Set([
    'TINTYPE_CONFIG',
    ...optionNames.map((name) => optionsTable[name].variable),
  ]);
  const told = globSync(['*.md', 'docs/**/*.md', 'deploy/**/*', 'web/**/*.{ts,tsx}'], { cwd: root })
    .filter((path) => statSync(`${root}${path}`).isFile())
    .flatMap((path) => {
      const text = readFileSync(`${root}${path}`, 'utf8');
      // Not what names of tests begin with, which every command lets pass.
      return [...text.matchAll(/\bTINTYPE_(?!TEST_)\w*[A-Z]\b(?!_)/g)].map(([name]) => ({
        path,
        name,
      }));
    });
  expect(told.length).toBeGreaterThan(100);
  expect(told.filter(({ name }) => !known.has(name))).toEqual([]);
});

function tableOf(): string {
  return markdownTable({
    head: ['Option', 'Default', 'Meaning'],
    rows: optionNames.map((name) => {
      const option: Option<unknown> = optionsTable[name];
      const standard = option.secret ? '' : showOption(option, option.default);
      return [
        code(option.variable),
        standard === '' ? '' : code(standard),
        option.secret ? `${option.meaning} Secret.` : option.meaning,
      ];
    }),
  });
}
