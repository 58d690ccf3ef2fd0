import { posix } from 'node:path';
import { type Finding, findAll, type Rule } from './rule.ts';
import { lineAt, type SourceTree } from './source-tree.ts';

export const documentRules: readonly Rule[] = [
  {
    name: 'ARCHITECTURE.md names every folder of server/',
    check: (tree) =>
      findUnnamed(
        tree,
        foldersIn(tree, 'server/').map((folder) => `server/${folder}`),
      ),
    broken: { 'server/refunds/refund.ts': '', 'ARCHITECTURE.md': 'There is `server/lib/`.' },
    blamed: ['ARCHITECTURE.md'],
    kept: { 'server/lib/ids.ts': '', 'ARCHITECTURE.md': 'There is `server/lib/`.' },
  },
  {
    name: 'ARCHITECTURE.md names every folder of the largest parts of server/',
    check: (tree) => {
      const parts = ['flows', 'lib', 'cli'];
      return findUnnamed(
        tree,
        parts.flatMap((part) => foldersIn(tree, `server/${part}/`)),
      );
    },
    broken: { 'server/lib/wings/wing.ts': '', 'ARCHITECTURE.md': 'There is `server/lib/`.' },
    blamed: ['ARCHITECTURE.md'],
    kept: { 'server/lib/wings/wing.ts': '', 'ARCHITECTURE.md': 'It has `wings/`.' },
  },
  {
    name: 'a decision carries its date in its name',
    check: (tree) =>
      tree
        .filter(({ path }) => path.startsWith('docs/decisions/'))
        .filter(({ path }) => !/^docs\/decisions\/\d{4}-\d\d-\d\d-[a-z0-9-]+\.md$/.test(path))
        .map(({ path }) => ({ path, line: 1, what: 'has no date' })),
    broken: { 'docs/decisions/chain.md': '# Chains' },
    kept: { 'docs/decisions/2026-01-31-chains.md': '# Chains' },
  },
  {
    name: 'a link in a document leads to a file',
    check: (tree) => findDeadLinks(tree),
    broken: { 'README.md': 'See [the map](ARCHITECTURE.md).' },
    kept: { 'README.md': 'See [the web](https://example.com) and [here](#here).' },
  },
  {
    name: 'a link to a heading leads to one',
    check: (tree) => findDeadAnchors(tree),
    broken: {
      'README.md': 'See [how](docs/api.md#how) and [why](#why).\n',
      'docs/api.md': '# Who',
    },
    blamed: ['README.md'],
    kept: {
      'README.md':
        '# A `b` & c\n\n## Why?\n\n## Why?\n\n[a](#a-b--c) [b](#why-1) [c](docs/api.md#who)\n',
      'docs/api.md': '# Who',
    },
  },
  {
    name: 'a path in a document exists',
    check: (tree) => {
      const paths = allPaths(tree);
      return findAll(documents(tree), 'text', ownPath)
        .map((finding) => ({ ...finding, what: finding.what.replaceAll('`', '') }))
        .filter(({ what }) => !paths.has(what.replace(/\/$/, '')));
    },
    broken: { 'README.md': 'See `server/lib/nothing.ts`.' },
    kept: {
      'README.md': 'See `server/lib/` and `shared/`.',
      'server/lib/ids.ts': '',
      'shared/a.ts': '',
    },
  },
  {
    name: 'no file names a path of one machine',
    check: (tree) =>
      findAll(tree, 'text', /(?<![\w.])\/(?:home|root|Users|work|farm)\/[a-z][\w-]*/g),
    exceptions: { 'test/architecture/document-rules.ts': 'shows what it looks for' },
    broken: { 'docs/setup.md': 'Go to /home/anna/tintype.' },
    kept: { 'docs/setup.md': 'Data lies in /var/lib/tintype; see https://example.com/home/page.' },
  },
  {
    name: 'commands in documents exist',
    check: (tree) => findUnknownScripts(tree),
    broken: { 'package.json': '{"scripts":{"test":"x"}}', 'README.md': 'Run `npm run launch`.' },
    blamed: ['README.md'],
    kept: { 'package.json': '{"scripts":{"demo":"x"}}', 'README.md': 'Run `npm run demo`.' },
  },
  {
    name: 'no option in a document has a comment behind its value, which systemd and Docker take for a part of it',
    check: (tree) => findAll(documents(tree), 'text', /^ *[A-Z][A-Z\d_]*=.*?[ \t]#.*/gm),
    broken: { 'docs/setup.md': 'TINTYPE_PORT=9000   # ours' },
    kept: { 'docs/setup.md': '# ours\nTINTYPE_PORT=9000\nTINTYPE_WORKERS=2 tintype serve' },
  },
];

/** In backticks, from the root of the repository, without placeholders. */
const ownPath = /`(?:server|shared|web|test|bench|bin|docs)\/[\w./-]*`/g;

function allPaths(tree: SourceTree): ReadonlySet<string> {
  return new Set(tree.flatMap(({ path }) => [path, ...parentsOf(path)]));
}

function findUnnamed(tree: SourceTree, names: readonly string[]): Finding[] {
  const map = tree.find(({ path }) => path === 'ARCHITECTURE.md')?.text ?? '';
  return names
    .filter((name) => !map.includes(`\`${name}/\``))
    .map((name) => ({ path: 'ARCHITECTURE.md', line: 1, what: `leaves out ${name}/` }));
}

function foldersIn(tree: SourceTree, prefix: string): string[] {
  const below = tree.filter(({ path }) => path.startsWith(prefix));
  const folders = below.map(({ path }) => /^([^/]+)\//.exec(path.slice(prefix.length))?.[1]);
  return [...new Set(folders)].filter((folder) => folder !== undefined);
}

function documents(tree: SourceTree): SourceTree {
  return tree.filter(({ path }) => path.endsWith('.md'));
}

function findDeadLinks(tree: SourceTree): Finding[] {
  const paths = allPaths(tree);
  return documents(tree).flatMap(({ path, text }) =>
    [...text.matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)[^)]*\)/g)].flatMap((match) => {
      const target = posix.join(posix.dirname(path), match[1] ?? '').replace(/\/$/, '');
      if (paths.has(target)) return [];
      return [{ path, line: lineAt(text, match.index), what: `links to ${target}` }];
    }),
  );
}

function findDeadAnchors(tree: SourceTree): Finding[] {
  const anchors = new Map(documents(tree).map(({ path, text }) => [path, anchorsOf(text)]));
  return documents(tree).flatMap(({ path, text }) =>
    [...text.matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)#([^)\s]+)\)/g)].flatMap((match) => {
      const [, file = '', anchor = ''] = match;
      const target = file === '' ? path : posix.join(posix.dirname(path), file);
      if (anchors.get(target)?.has(anchor)) return [];
      return [{ path, line: lineAt(text, match.index), what: `links to ${target}#${anchor}` }];
    }),
  );
}

/** Of its headings, as GitHub makes them: one that comes again gets a number. */
function anchorsOf(text: string): ReadonlySet<string> {
  const prose = text.replaceAll(/^```.*?^```/gms, '');
  const times = new Map<string, number>();
  const anchors = [...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => {
    const words = heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .trim()
      .toLowerCase();
    const anchor = words.replaceAll(/[^\p{L}\p{N}_ -]/gu, '').replaceAll(' ', '-');
    const before = times.get(anchor) ?? 0;
    times.set(anchor, before + 1);
    return before === 0 ? anchor : `${anchor}-${before}`;
  });
  return new Set(anchors);
}

function parentsOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_part, index) => parts.slice(0, index + 1).join('/'));
}

function findUnknownScripts(tree: SourceTree): Finding[] {
  const manifest = tree.find(({ path }) => path === 'package.json')?.text ?? '{}';
  // Only the names of the scripts are read.
  const { scripts = {} } = JSON.parse(manifest) as { scripts?: Record<string, string> };
  return findAll(documents(tree), 'text', /\bnpm run ([a-z][\w:-]*)/g).filter(
    ({ what }) => !Object.hasOwn(scripts, what.replace('npm run ', '')),
  );
}
