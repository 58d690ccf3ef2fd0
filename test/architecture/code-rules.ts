/** How a source file may look, as far as plain text can tell; oxlint and tsc see the rest. */
import { type Finding, findAll, type Rule } from './rule.ts';
import { isCode, type SourceTree } from './source-tree.ts';

const fileLinesMax = 350;

export const codeRules: readonly Rule[] = [
  {
    name: 'nothing is exported as default',
    check: (tree) => findAll(code(tree), 'codeOnly', /\bexport\s+default\b|\bas default\b/g),
    exceptions: {
      'vite.config.ts': 'the bundler demands it',
      'vitest.config.ts': 'the test runner demands it',
      'test/support/run/summary-reporter.ts': 'the test runner demands it of reporters',
    },
    broken: { 'server/lib/ids.ts': `export default function makeId() {}` },
    kept: { 'server/lib/ids.ts': `export const text = 'export default';` },
  },
  {
    name: 'no any',
    check: (tree) =>
      findAll(code(tree), 'codeOnly', /(?:[:<|&,]\s*|\bas\s+|=>\s*)any\b(?!\s*[:(.=])/g),
    broken: {
      'server/lib/a.ts': `function f(x: any) {}`,
      'server/lib/b.ts': `const list = x as any;`,
      'server/lib/c.ts': `const map = new Map<string, any>();`,
    },
    kept: { 'server/lib/a.ts': `const all = Promise.any(list); // any\nexpect.any(Object);` },
  },
  {
    name: 'no non-null assertion',
    check: (tree) => findAll(code(tree), 'codeOnly', /[\w$)\]]!(?=\s*[.;,:)\]}[]|\s*$)/gm),
    broken: {
      'server/lib/a.ts': `const first = list[0]!;`,
      'server/lib/b.ts': `map.get(key)!.close();`,
    },
    kept: { 'server/lib/a.ts': `if (a !== b && !c) {}` },
  },
  {
    name: 'no error of the compiler is silenced',
    check: (tree) => findAll(code(tree), 'text', /@ts-(?:ignore|nocheck|expect-error)/g),
    exceptions: { 'test/architecture/code-rules.ts': 'shows what it looks for' },
    broken: { 'server/lib/a.ts': '// @ts-ignore' },
  },
  {
    name: 'a silenced finding of the linter carries its reason',
    check: (tree) => findAll(code(tree), 'text', /oxlint-disable(?!.* -- \S).*/g),
    exceptions: { 'test/architecture/code-rules.ts': 'shows what it looks for' },
    broken: { 'server/lib/a.ts': '// oxlint-disable-next-line no-console' },
    kept: {
      'server/lib/a.ts': "// oxlint-disable-next-line no-console -- the program's output",
    },
  },
  {
    name: 'what opens a menu of actions has three dots in a row',
    check: (tree) =>
      findAll(code(tree), 'codeOnly', /\b(?:EllipsisVertical|More(?:Vertical|Horizontal))\b/g),
    broken: { 'web/ui/a.tsx': `import { EllipsisVertical } from 'lucide-react';` },
    kept: { 'web/ui/a.tsx': `import { Ellipsis } from 'lucide-react';` },
  },
  {
    name: `no source file is longer than ${fileLinesMax} lines`,
    check: (tree) => findLongFiles(code(tree)),
    exceptions: {},
    broken: { 'server/lib/a.ts': 'a();\n'.repeat(fileLinesMax + 1) },
    kept: { 'server/lib/a.ts': 'a();\n'.repeat(fileLinesMax) },
  },
];

function code(tree: SourceTree): SourceTree {
  return tree.filter(({ path }) => isCode(path));
}

function findLongFiles(files: SourceTree): Finding[] {
  return files
    .map(({ path, text }) => ({ path, lines: text.trimEnd().split('\n').length }))
    .filter(({ lines }) => lines > fileLinesMax)
    .map(({ path, lines }) => ({ path, line: fileLinesMax + 1, what: `has ${lines} lines` }));
}
