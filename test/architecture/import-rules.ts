import type { Finding, Rule } from './rule.ts';
import { isTest, type SourceTree } from './source-tree.ts';

const nouns = [
  'accounts',
  'identity',
  'wallets',
  'catalog',
  'images',
  'usage',
  'settings',
  'audit',
  'notices',
  'payments',
];

/**
 * What the files of each area may import of ours besides their own area; longest prefix first.
 * `null` means everything.
 */
const areas: readonly Area[] = [
  { name: 'app', prefix: 'server/app', sees: null },
  { name: 'cli', prefix: 'server/cli/', sees: null },
  { name: 'config', prefix: 'server/config', sees: ['lib', 'shared'] },
  { name: 'cluster', prefix: 'server/cluster/', sees: ['upstreams', 'lib', 'shared'] },
  {
    name: 'http',
    prefix: 'server/http/',
    sees: ['flows', ...nouns, 'db handle', 'lib', 'shared'],
  },
  {
    name: 'flows',
    prefix: 'server/flows/',
    sees: [...nouns, 'mails', 'db handle', 'db', 'upstream', 'upstreams', 'lib', 'shared'],
  },
  { name: 'mails', prefix: 'server/mails/', sees: ['shared'] },
  // What measures is told by those below it, who do not know of it.
  {
    name: 'telemetry',
    prefix: 'server/telemetry/',
    sees: ['http', 'flows', ...nouns, 'upstreams', 'lib', 'shared'],
  },
  ...nouns.map((name) => ({
    name,
    prefix: `server/${name}/`,
    sees: ['db handle', 'db', 'lib', 'shared'],
  })),
  { name: 'upstream', prefix: 'server/upstreams/upstream.ts', sees: ['lib', 'shared'] },
  { name: 'upstream', prefix: 'server/upstreams/adapter-kind.ts', sees: ['lib', 'shared'] },
  {
    name: 'registry',
    prefix: 'server/upstreams/registry.ts',
    sees: ['adapter', 'upstream', 'upstreams', 'lib', 'shared'],
  },
  // What adapters share to read and write their protocols.
  { name: 'wire', prefix: 'server/upstreams/wire/', sees: ['upstream', 'lib', 'shared'] },
  // The other folders under upstreams/ are adapters: see `areaOf`.
  { name: 'adapter', prefix: 'server/upstreams/*/', sees: ['upstream', 'wire', 'lib', 'shared'] },
  { name: 'upstreams', prefix: 'server/upstreams/', sees: ['upstream', 'lib', 'shared'] },
  // What those who write no queries may know of the database: its type and its errors.
  { name: 'db handle', prefix: 'server/db/db.ts', sees: ['db', 'lib', 'shared'] },
  { name: 'db handle', prefix: 'server/db/database-error.ts', sees: ['lib', 'shared'] },
  { name: 'db', prefix: 'server/db/', sees: ['db handle', 'lib', 'shared'] },
  { name: 'lib', prefix: 'server/lib/', sees: ['shared'] },
  { name: 'bin', prefix: 'bin/', sees: ['cli'] },
  // What it builds it names by its path.
  { name: 'server build', prefix: 'server/build/', sees: ['web build', 'bin'] },
  { name: 'shared', prefix: 'shared/', sees: [] },
  { name: 'web lib', prefix: 'web/lib/', sees: ['shared'] },
  { name: 'web i18n', prefix: 'web/i18n/', sees: ['web lib', 'shared'] },
  { name: 'web ui', prefix: 'web/ui/', sees: ['web i18n', 'web lib', 'shared'] },
  { name: 'web api', prefix: 'web/api/', sees: ['web i18n', 'web lib', 'shared'] },
  // Runs on Node, before there is a console.
  { name: 'web build', prefix: 'web/build/', sees: ['web', 'bin'] },
  {
    name: 'web',
    prefix: 'web/',
    sees: ['web ui', 'web api', 'web i18n', 'web lib', 'shared'],
  },
];

interface Area {
  name: string;
  prefix: string;
  sees: readonly string[] | null;
}

export const importRules: readonly Rule[] = [
  {
    name: 'imports point one way: http → flows → nouns → db → lib → shared',
    check: (tree) => findStrayImports(tree),
    exceptions: { 'server/lib/version.ts': 'reads the version out of package.json' },
    broken: {
      'server/wallets/wallet-store.ts': `import { findUser } from '../accounts/user-store.ts';`,
      'server/lib/ids.ts': `export { open } from '../db/open.ts';`,
      'shared/money.ts': `const lib = await import('../server/lib/assert.ts');`,
      'server/http/v1/models.ts': `import '../../upstreams/upstream.ts';`,
      'web/main.tsx': `import type { Db } from '../server/db/db.ts';`,
      'web/ui/link.tsx': `import { paths } from '../paths.ts';`,
      'web/ui/table.tsx': `import { api } from '../api/call-api.ts';`,
    },
    kept: {
      'server/flows/money/hold-money.ts': `import { readWallet } from '../../wallets/wallet-store.ts';`,
      'server/http/v1/models.ts': `import type { Db } from '../../db/db.ts';`,
      'server/app.ts': `import { findUser } from './accounts/user-store.ts';`,
      'web/pages/user/usage-page.tsx': `import { DataTable } from '../../ui/data-table.tsx';`,
    },
  },
  {
    name: 'the console takes only types from files with schemas, so that no schema library reaches the browser',
    check: (tree) => {
      const withSchemas = new Set(
        tree
          .filter(
            ({ path, imports }) =>
              path.startsWith('shared/') &&
              imports.some(({ specifier }) => /^zod(\/|$)/.test(specifier)),
          )
          .map(({ path }) => path),
      );
      return importsOf(tree).filter(
        ({ path, line, specifier, target }) =>
          path.startsWith('web/') &&
          !isTest(path) &&
          (target === null ? /^zod(\/|$)/.test(specifier) : withSchemas.has(target)) &&
          !isTypeImport(tree, path, line),
      );
    },
    broken: {
      'web/api/usage.ts': `import { usageSchema } from '../../shared/console/usage.ts';`,
      'shared/console/usage.ts': `import { z } from 'zod';`,
    },
    blamed: ['web/api/usage.ts'],
    kept: {
      'web/api/usage.ts': `import type { Usage } from '../../shared/console/usage.ts';`,
      'shared/console/usage.ts': `import { z } from 'zod';`,
    },
  },
  {
    name: 'an adapter sees only the upstream interface, wire, lib, shared and its own folder',
    check: (tree) => findForeignAdapters(tree),
    broken: {
      'server/upstreams/a1111/adapter.ts': `import { draw } from '../sandbox/adapter.ts';`,
    },
    kept: {
      'server/upstreams/a1111/adapter.ts': `import { toField } from './fields.ts';`,
    },
  },
  {
    name: 'every import of ours carries its suffix and leads to a file',
    check: (tree) => {
      const paths = new Set(tree.map((file) => file.path));
      return importsOf(tree).filter(({ target }) => target !== null && !paths.has(target));
    },
    broken: { 'server/app.ts': `import { a } from './lib/assert';` },
    kept: {
      'server/app.ts': `import { a } from './lib/assert.ts';`,
      'server/lib/assert.ts': '',
    },
  },
  {
    name: 'what is shipped imports no test',
    check: (tree) =>
      importsOf(tree).filter(
        ({ path, target, specifier }) =>
          !isTest(path) &&
          /^(server|shared|web|bin)\//.test(path) &&
          (isTest(target ?? '') || specifier === 'vitest'),
      ),
    exceptions: {},
    broken: { 'server/lib/ids.ts': `import { manualClock } from '../../test/support/clock.ts';` },
  },
  packageRule({
    name: 'only http and the composition root know the HTTP framework',
    packages: /^(fastify|@fastify\/.*|fastify-.*)$/,
    allowed: ['server/http/', 'server/app.ts'],
    broken: {
      'server/flows/requests/run-image-request.ts': `import type { FastifyRequest } from 'fastify';`,
    },
  }),
  packageRule({
    name: 'only db knows the SQL drivers',
    packages: /^(better-sqlite3|pg|node:sqlite)$/,
    allowed: ['server/db/'],
    broken: { 'server/cli/commands/backup.ts': `import Sqlite from 'better-sqlite3';` },
  }),
  packageRule({
    name: 'only telemetry knows the libraries of metrics and traces',
    packages: /^(prom-client|@opentelemetry\/.*)$/,
    allowed: ['server/telemetry/'],
    broken: {
      'server/flows/requests/attempts/attempt.ts': `import { trace } from '@opentelemetry/api';`,
    },
  }),
  packageRule({
    name: 'only db, nouns and flows write queries',
    packages: /^kysely(\/.*)?$/,
    allowed: ['server/db/', 'server/flows/', ...nouns.map((noun) => `server/${noun}/`)],
    broken: { 'server/http/v1/models.ts': `import { sql } from 'kysely';` },
  }),
];

function packageRule(options: {
  name: string;
  packages: RegExp;
  allowed: readonly string[];
  broken: Readonly<Record<string, string>>;
}): Rule {
  return {
    name: options.name,
    broken: options.broken,
    check: (tree) =>
      importsOf(tree).filter(
        ({ path, specifier }) =>
          !isTest(path) &&
          options.packages.test(specifier) &&
          !options.allowed.some((prefix) => path.startsWith(prefix)),
      ),
  };
}

interface FoundImport extends Finding {
  specifier: string;
  target: string | null;
}

function importsOf(tree: SourceTree): FoundImport[] {
  return tree.flatMap(({ path, imports }) =>
    imports.map(({ line, specifier, target }) => ({
      path,
      line,
      what: `imports ${target ?? specifier}`,
      specifier,
      target,
    })),
  );
}

function findStrayImports(tree: SourceTree): Finding[] {
  return importsOf(tree).flatMap(({ path, line, what, target }) => {
    const from = areaOf(path);
    if (target === null || from === null || from.sees === null || isTest(path)) return [];
    const to = areaOf(target);
    if (to !== null && (to.name === from.name || from.sees.includes(to.name))) return [];
    const seen = from.sees.length === 0 ? 'nothing of ours' : from.sees.join(', ');
    return [{ path, line, what: `${what}; ${from.name} may import ${seen}` }];
  });
}

function findForeignAdapters(tree: SourceTree): Finding[] {
  return importsOf(tree).filter(({ path, target }) => {
    const from = adapterFolder(path);
    const to = target === null ? null : adapterFolder(target);
    return from !== null && to !== null && from !== to && to !== 'wire' && !isTest(path);
  });
}

function isTypeImport(tree: SourceTree, path: string, line: number): boolean {
  const file = tree.find((each) => each.path === path);
  return file?.codeOnly.split('\n')[line - 1]?.startsWith('import type ') === true;
}

function areaOf(path: string): Area | null {
  const found = areas.find(({ name, prefix }) =>
    name === 'adapter' ? adapterFolder(path) !== null : path.startsWith(prefix),
  );
  return found ?? null;
}

function adapterFolder(path: string): string | null {
  return /^server\/upstreams\/([^/]+)\//.exec(path)?.[1] ?? null;
}
