/** `docs/operating.md` has every start option, with its default and its meaning. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { optionNames, optionsTable } from '../../server/config.ts';
import { type Option, showOption } from '../../server/lib/options.ts';
import { withTables } from './document-tables.ts';
import { code, markdownTable } from './markdown-table.ts';

const file = fileURLToPath(new URL('../../docs/operating.md', import.meta.url));
const document = readFileSync(file, 'utf8');

it('has every start option as the code has it', async () => {
  const current = withTables(document, new Map([['options', tableOf()]]));
  const mend = 'docs/operating.md is out of date; write it anew: npm test -- test/docs --update';
  await expect(current, mend).toMatchFileSnapshot(file);
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
