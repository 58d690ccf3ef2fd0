/** The repository's rules. Each is checked here, and shown to notice what breaks it. */
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { boundaryRules } from './architecture/boundary-rules.ts';
import { circleRules } from './architecture/circle-rules.ts';
import { codeRules } from './architecture/code-rules.ts';
import { documentRules } from './architecture/document-rules.ts';
import { importRules } from './architecture/import-rules.ts';
import { namingRules } from './architecture/naming-rules.ts';
import { type Rule, violations } from './architecture/rule.ts';
import { readTree, treeOf } from './architecture/source-tree.ts';

const rules: readonly Rule[] = [
  ...importRules,
  ...circleRules,
  ...boundaryRules,
  ...codeRules,
  ...namingRules,
  ...documentRules,
];

const repository = readTree(fileURLToPath(new URL('..', import.meta.url)));

describe('the repository keeps its rules', () => {
  it.each(rules)('$name', (rule) => {
    expect(violations(rule, repository)).toEqual([]);
  });
});

describe('a rule notices what breaks it, in each file of its sample', () => {
  it.each(rules)('$name', ({ check, broken, blamed }) => {
    const noticed = new Set(check(treeOf(broken)).map(({ path }) => path));
    expect([...noticed].sort()).toEqual((blamed ?? Object.keys(broken)).sort());
  });
});

describe('a rule lets pass what keeps it', () => {
  it.each(rules.filter(({ kept }) => kept))('$name', ({ check, kept = {} }) => {
    expect(check(treeOf(kept))).toEqual([]);
  });
});
