import type { Finding, Rule } from './rule.ts';
import type { SourceFile, SourceTree } from './source-tree.ts';

export const circleRules: readonly Rule[] = [
  {
    name: 'no files import each other in a circle, not even types',
    check: (tree) => findCircles(tree),
    broken: {
      'server/db/db.ts': `import type { Chain } from './chain.ts';`,
      'server/db/chain.ts': `import type { ChainParams } from './db.ts';`,
      'web/ui/first.ts': `import { second } from './second.ts';`,
      'web/ui/second.ts': `export { third } from './third.ts';`,
      'web/ui/third.ts': `const first = await import('./first.ts');`,
      'web/ui/leads-there.ts': `import { first } from './first.ts';`,
    },
    blamed: [
      'server/db/chain.ts',
      'server/db/db.ts',
      'web/ui/first.ts',
      'web/ui/second.ts',
      'web/ui/third.ts',
    ],
    kept: {
      'server/db/db.ts': `import type { Chain, ChainParams } from './chain.ts';`,
      'server/db/postgres.ts': `import { Db } from './db.ts'; import type { Chain } from './chain.ts';`,
      'server/db/chain.ts': '',
    },
  },
];

/** Every import from which a way of imports leads back. */
function findCircles(tree: SourceTree): Finding[] {
  const files = withoutLeaves(new Map(tree.map((file) => [file.path, file])));
  return [...files.values()].flatMap(({ path, imports }) =>
    imports
      .filter(({ target }) => target !== null && isReachable(path, target, files))
      .map(({ line, specifier }) => ({ path, line, what: `leads back from ${specifier}` })),
  );
}

/** Leaves out, again and again, what imports none of the rest: what remains is few, or nothing. */
function withoutLeaves(files: Map<string, SourceFile>): ReadonlyMap<string, SourceFile> {
  const isLeaf = ({ imports }: SourceFile) =>
    !imports.some(({ target }) => target !== null && files.has(target));
  for (;;) {
    const leaves = [...files.values()].filter(isLeaf);
    if (leaves.length === 0) return files;
    for (const { path } of leaves) files.delete(path);
  }
}

function isReachable(
  wanted: string,
  from: string,
  files: ReadonlyMap<string, SourceFile>,
): boolean {
  const seen = new Set<string>();
  const open = [from];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (path === wanted) return true;
    if (seen.has(path)) continue;
    seen.add(path);
    for (const { target } of files.get(path)?.imports ?? []) if (target !== null) open.push(target);
  }
  return false;
}
